import type { Deps } from '../../../deps.ts'
import { parseCitations } from '../../answering/stored-citations.ts'
import { clearJournal, type JournalEntry, readJournal } from './reply-journal.ts'
import { findUnfinishedReply, saveSnapshot } from './reply-store.ts'
import { serializeCitations } from './reply-writer.ts'

async function restoreReply(deps: Deps, id: string, entries: readonly JournalEntry[]): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await findUnfinishedReply(tx, deps.nodeId, id)
    const missing = entries.filter(
      ({ last_event }) => last_event > (row?.last_event ?? Number.MAX_SAFE_INTEGER),
    )
    const last = missing.at(-1)
    if (!row || !last) return
    const { text: _text, citations: _citations, ...facts } = last
    await saveSnapshot(tx, deps.nodeId, {
      ...facts,
      content: row.content + missing.map(({ text }) => text).join(''),
      citations: serializeCitations([
        ...parseCitations(row),
        ...missing.flatMap(({ citations }) => citations),
      ]),
    })
  })
}

/** Adds what replies had shown since their last snapshot when this node was killed. */
export async function restoreFromJournal(deps: Deps): Promise<void> {
  const replies = new Map<string, JournalEntry[]>()
  for await (const entry of readJournal(deps)) {
    const known = replies.get(entry.id)
    if (known) known.push(entry)
    else replies.set(entry.id, [entry])
  }
  for (const [id, entries] of replies) await restoreReply(deps, id, entries)
  clearJournal(deps)
}
