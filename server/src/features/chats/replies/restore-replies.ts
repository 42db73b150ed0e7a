import type { Deps } from '../../../deps.ts'
import { parseCitations } from '../../answering/stored-citations.ts'
import { clearJournal, type JournalEntry, readJournal } from './reply-journal.ts'
import type { SharedEntry } from './reply-publisher.ts'
import { findUnfinishedReply, type LostReply, saveSnapshot } from './reply-store.ts'
import { serializeCitations } from './reply-writer.ts'

/** Adds what is missing in the row of a reply of the node. Does nothing if the reply has ended. */
async function restoreReply(
  deps: Deps,
  nodeId: string,
  id: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await findUnfinishedReply(tx, nodeId, id)
    if (!row) return
    let { content } = row
    const allCitations = parseCitations(row)
    let last: JournalEntry | null = null
    for (const entry of entries) {
      if (entry.last_event <= row.last_event) continue
      // Text after a gap would not follow what was shown.
      if (entry.from !== content.length) break
      content += entry.text
      allCitations.push(...entry.citations)
      last = entry
    }
    if (last === null) return
    const { text: _text, from: _from, citations: _citations, status: _status, ...facts } = last
    await saveSnapshot(tx, nodeId, { ...facts, content, citations: serializeCitations(allCitations) })
  })
}

/** Adds what the replies of a node had shown since their last snapshot when it was killed. */
export async function restoreFromJournal(deps: Deps, nodeId: string): Promise<void> {
  const place = { ...deps, nodeId }
  const replies = new Map<string, JournalEntry[]>()
  for await (const entry of readJournal(place)) {
    const known = replies.get(entry.id)
    if (known) known.push(entry)
    else replies.set(entry.id, [entry])
  }
  for (const [id, entries] of replies) await restoreReply(deps, nodeId, id, entries)
  clearJournal(place)
}

/** Adds what other nodes have shared of these replies since the last snapshots. May run on several nodes at once. */
export async function restoreFromEventLog(deps: Deps, replies: readonly LostReply[]): Promise<void> {
  if (!deps.clusterLinks) return
  for (const [owner, owned] of Map.groupBy(replies, ({ lease_owner }) => lease_owner)) {
    if (owner === null) continue
    const ids = owned.map(({ id }) => id)
    const frames = await deps.clusterLinks.eventLog.read(owner, ids)
    const entries = frames.map(({ content }) => JSON.parse(content) as SharedEntry)
    for (const id of ids) {
      const own = entries.filter((entry): entry is JournalEntry => entry.id === id && !('isEnd' in entry))
      await restoreReply(deps, owner, id, own)
    }
  }
}
