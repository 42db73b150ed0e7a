import type { Deps } from '../../../deps.ts'
import { parseCitations } from '../../answering/stored-citations.ts'
import { clearJournal, type JournalEntry, readJournal } from './reply-journal.ts'
import { findUnfinishedReply, saveSnapshot } from './reply-store.ts'
import { serializeCitations } from './reply-writer.ts'

async function restoreReply(deps: Deps, id: string, entries: readonly JournalEntry[]): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await findUnfinishedReply(tx, deps.nodeId, id)
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
    const { text: _text, from: _from, citations: _citations, ...facts } = last
    await saveSnapshot(tx, deps.nodeId, { ...facts, content, citations: serializeCitations(allCitations) })
  })
}

/** Adds what the replies of the node `deps.nodeId` had shown since their last snapshot when it was killed. */
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
