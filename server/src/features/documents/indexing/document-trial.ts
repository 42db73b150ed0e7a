import type { DocumentChange } from '@lyceum/contract/test-questions'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { requireDocument } from '../access.ts'
import { extractForPreview } from '../extract-for-preview.ts'
import type { DocumentDetails } from '../store.ts'
import { createDrafts, splitIntoBatches } from './build-passages.ts'
import type { findActivePassages } from './passage-store.ts'

type ActivePassage = Awaited<ReturnType<typeof findActivePassages>>[number]

/** A change of one document that only the searches see that are given it. */
export interface DocumentTrial {
  channelId: string
  /** The document's active generation, which is not searched. */
  without: string | null
  /** The generation that is searched instead. */
  generation: string | null
  /** The passages of that generation, by id. They are not in the database. */
  passages: ReadonlyMap<string, ActivePassage>
}

export function applyTrial(active: readonly string[], { without, generation }: DocumentTrial): string[] {
  return [...active.filter((id) => id !== without), ...(generation === null ? [] : [generation])]
}

/**
 * Indexes the pending version in a generation of its own, found by keywords only. It belongs to no document, so no other
 * search uses it, and the removal of orphans drops it if this server stops before.
 */
async function withPendingVersion<R>(
  deps: Deps,
  document: DocumentDetails,
  work: (trial: DocumentTrial) => Promise<R>,
): Promise<R> {
  const { id: documentId, version_id: versionId, channel_id: channelId, title, kind, number } = document
  const generation = uuidv7()
  const build = { documentId, versionId, generation }
  const source = { title, channel_id: channelId, kind, file_key: document.file_key, number }
  const drafts = await createDrafts({ build, source }, await extractForPreview(deps, document))
  try {
    for (const batch of splitIntoBatches(drafts))
      await deps.passageIndex.add(
        { id: generation, documentId, channelId },
        batch.map(({ row: _, ...passage }) => passage),
      )
    return await work({
      channelId,
      without: document.generation,
      generation: drafts.length === 0 ? null : generation,
      passages: new Map(drafts.map(({ id, row }) => [id, { ...row, title, kind, version: number }])),
    })
  } finally {
    await deps.passageIndex.drop([generation])
  }
}

/** The document, if it can be changed like that. */
export async function requireChangeable(
  deps: Deps,
  documentId: string,
  change: DocumentChange,
): Promise<DocumentDetails> {
  const document = await requireDocument(deps.db, documentId)
  if (change === 'approve' && document.status !== 'pending') throw new AppError('document.not_pending')
  return document
}

/** Runs searches as if a document were removed, or its pending version approved. */
export function tryDocumentChange<R>(
  deps: Deps,
  document: DocumentDetails,
  change: DocumentChange,
  work: (trial: DocumentTrial) => Promise<R>,
): Promise<R> {
  const { channel_id: channelId, generation: without } = document
  return change === 'remove'
    ? work({ channelId, without, generation: null, passages: new Map() })
    : withPendingVersion(deps, document, work)
}
