import { closeSync, createReadStream, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReplyEvent } from '@lyceum/contract/chats'
import type { Deps } from '../../../deps.ts'
import type { StoredCitation } from '../../answering/stored-citations.ts'
import type { Snapshot } from './reply-store.ts'

/** What was added to a reply. The other columns are those of a snapshot taken at this moment. */
export interface JournalEntry extends Omit<Snapshot, 'content' | 'citations'> {
  /** Length of the reply's text before this entry: after a failed write, entries are missing. */
  from: number
  text: string
  citations: readonly StoredCitation[]
  /** A status that is shown instead of text or a citation. Other servers show it; a file does not contain it. */
  status?: ReplyStatus
}

type ReplyStatus = Extract<ReplyEvent, { type: 'status' }>['status']

/**
 * Holds what running replies have shown since their last snapshot. Each entry is written before it is shown, so that
 * `kill -9` takes nothing back. It is not synced: the system keeps what a killed process has written, and only a power
 * failure loses it.
 */
export interface ReplyJournal {
  append(entries: readonly JournalEntry[]): void
  /** Starts a new file. Returns a function that deletes the earlier ones once snapshots contain their entries. */
  rotate(): () => void
}

type Place = Pick<Deps, 'env' | 'nodeId' | 'log'>

function getFolder({ env }: Place): string {
  return join(env.DATA_DIR, 'replies')
}

/** The files of this node, oldest first. */
function listFiles(place: Place): string[] {
  const folder = getFolder(place)
  mkdirSync(folder, { recursive: true })
  const number = new Map(
    readdirSync(folder).flatMap((name) => {
      const [, nodeId, digits] = /^(.+)\.(\d+)\.log$/.exec(name) ?? []
      return nodeId === place.nodeId ? [[name, Number(digits)] as const] : []
    }),
  )
  return [...number.keys()].sort((a, b) => (number.get(a) ?? 0) - (number.get(b) ?? 0))
}

export function createReplyJournal(place: Place): ReplyJournal {
  let number = 0
  let file: number | null = null
  let isFailing = false

  function open(): number {
    const folder = getFolder(place)
    mkdirSync(folder, { recursive: true })
    return openSync(join(folder, `${place.nodeId}.${++number}.log`), 'a', 0o600)
  }

  function close(): void {
    if (file !== null) closeSync(file)
    file = null
  }

  return {
    append(entries) {
      const lasting = entries.filter(({ status }) => status === undefined)
      if (lasting.length === 0) return
      try {
        file ??= open()
        // A failed write may have left a part of a line.
        const lines = lasting.map((entry) => `${JSON.stringify(entry)}\n`).join('')
        writeSync(file, (isFailing ? '\n' : '') + lines)
        isFailing = false
      } catch (error) {
        // A full disk must not stop the reply, which a snapshot will save when there is space again.
        if (!isFailing) place.log.warn({ err: error }, 'could not write to the journal of replies')
        isFailing = true
      }
    },
    rotate() {
      close()
      const earlier = listFiles(place)
      return () => {
        for (const name of earlier) rmSync(join(getFolder(place), name), { force: true })
      }
    },
  }
}

/** Reads what this node wrote before it was killed, in order, and skips a line that was not written completely. */
export async function* readJournal(place: Place): AsyncGenerator<JournalEntry> {
  for (const name of listFiles(place)) {
    const lines = createInterface({ input: createReadStream(join(getFolder(place), name)) })
    for await (const line of lines) {
      try {
        yield JSON.parse(line) as JournalEntry
      } catch {
        place.log.warn({ name }, 'skipped an incomplete line in the journal of replies')
      }
    }
  }
}

/** Deletes the files of this node. */
export function clearJournal(place: Place): void {
  for (const name of listFiles(place)) rmSync(join(getFolder(place), name), { force: true })
}
