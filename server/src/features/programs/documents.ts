import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'
import type { ChannelForUser } from '../channels/access.ts'
import { requireReadableVersion } from '../documents/access.ts'
import { findPageText, readDocumentText } from '../documents/document-text.ts'
import { listMemberDocuments, type MemberDocument } from '../documents/member-documents.ts'
import { findPassages } from '../documents/retrieval/retrieval.ts'

/** Characters that one call reads: about 5,000 tokens, which a model can take besides its other work. */
const partLength = 20_000

export interface FoundText {
  document_id: string
  version: number
  title: string
  page: number | null
  heading: string | null
  /** A part of the document, word for word. */
  text: string
}

function requireScope({ scopes }: KeyAccess): void {
  if (!scopes.has('documents')) throw new AppError('api_key.scope')
}

/** The passages closest to a question, best first. */
export async function searchDocuments(
  deps: Deps,
  access: KeyAccess,
  channel: ChannelForUser,
  { query, limit, signal }: { query: string; limit: number; signal: AbortSignal },
): Promise<FoundText[]> {
  requireScope(access)
  const { userId } = access.actor
  const found = await findPassages(deps, { channelId: channel.id, question: query, limit, userId, signal })
  return found.map(({ documentId, version, title, page, headingPath, text }) => ({
    document_id: documentId,
    version,
    title,
    page,
    heading: headingPath.length === 0 ? null : headingPath.join(' › '),
    text,
  }))
}

/** The documents of these channels that answers come from, newest first. */
export async function listDocuments(
  deps: Deps,
  access: KeyAccess,
  channels: readonly ChannelForUser[],
  page: { limit: number; skip: number },
): Promise<MemberDocument[]> {
  requireScope(access)
  return listMemberDocuments(
    deps.db,
    channels.map(({ id }) => id),
    page,
  )
}

export interface DocumentPart {
  title: string
  version: number
  pages: { page: number | null; start: number; text: string }[]
  /** Where the next call goes on; null at the end. */
  next_start: number | null
}

/** Finds a version of a document in one of the key's channels that its user may read. */
async function requireVersion(deps: Deps, access: KeyAccess, id: string, version?: number) {
  requireScope(access)
  const readable = await requireReadableVersion(deps.db, access.actor, id, version)
  const { channel_id } = readable.document
  if (access.channelIds !== null && !access.channelIds.has(channel_id)) throw notFound()
  return readable.version
}

/** The text of one page of the version that members read. */
export async function readDocumentPage(
  deps: Deps,
  access: KeyAccess,
  id: string,
  page: number,
): Promise<string> {
  const version = await requireVersion(deps, access, id)
  const text = await findPageText(deps, version, page)
  if (text === null) throw notFound()
  return text
}

/** A part of the text of a document. */
export async function readDocument(
  deps: Deps,
  access: KeyAccess,
  { id, start, version }: { id: string; start: number; version?: number | undefined },
): Promise<DocumentPart> {
  const { number } = await requireVersion(deps, access, id, version)
  const part = { start, version: number, maxLength: partLength }
  const { title, pages, total } = await readDocumentText(deps, access.actor, id, part)
  const last = pages.at(-1)
  const end = last ? last.start + last.text.length : total
  return { title, version: number, pages, next_start: end < total ? end : null }
}
