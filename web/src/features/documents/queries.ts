import { attachmentsApi } from '@lyceum/contract/attachments'
import {
  type Document,
  type DocumentIndexFilter,
  type DocumentStatus,
  documentsApi,
  isIndexing,
} from '@lyceum/contract/documents'
import { listMaximum } from '@lyceum/contract/wire'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The current disk usage of each channel's documents. */
export function storageQuery() {
  return queryOptions({
    queryKey: ['document-storage'],
    queryFn: ({ signal }) => call(documentsApi.storage, {}, { signal }),
    staleTime: 0,
  })
}

export const documentsPerPage = 20

/** How often a list of documents without vectors is loaded. */
const vectorsPollMs = 15_000

/** How often a screen polls a document that is being indexed. */
export const indexPollMs = 2000

export interface DocumentFilter {
  /** Starts at 1. */
  page: number
  status?: DocumentStatus
  channelId?: string
  uploaderId?: string
  search?: string
  index?: DocumentIndexFilter
}

export interface DocumentPage {
  items: Document[]
  total: number
  totalPages: number
}

export function countPages(total: number): number {
  return Math.ceil(total / documentsPerPage)
}

/** Key prefix of all document lists. */
export const documentListsKey = ['documents'] as const

export function isBeingIndexed(document: Document): boolean {
  return isIndexing(document.index.state)
}

async function fetchPage(
  filter: Omit<DocumentFilter, 'page'>,
  limit: number,
  skip: number,
  signal?: AbortSignal,
): Promise<DocumentPage> {
  const response = await call(documentsApi.list, { query: { ...filter, limit, skip } }, { signal })
  return Array.isArray(response) ? { items: response, total: response.length, totalPages: 1 } : response
}

/** Fetches the newest matching documents, at most `limit`. */
export async function fetchMatchingDocuments(
  filter: Omit<DocumentFilter, 'page'>,
  limit: number,
): Promise<Document[]> {
  const matches: Document[] = []
  for (let total = limit; matches.length < Math.min(total, limit); ) {
    const page = await fetchPage(filter, Math.min(listMaximum, limit - matches.length), matches.length)
    if (page.items.length === 0) break
    matches.push(...page.items)
    total = page.total
  }
  return matches
}

/**
 * A page of documents, newest first. Polls while one of them is being indexed, except in the lists of pending and of
 * failed documents: there, refetching would remove a document that was just approved or reindexed.
 */
export function documentsQuery({ page, ...filter }: DocumentFilter) {
  return queryOptions({
    queryKey: [...documentListsKey, { page, ...filter }],
    queryFn: ({ signal }) => fetchPage(filter, documentsPerPage, (page - 1) * documentsPerPage, signal),
    // Other administrators review documents too, so refetch whenever the list is opened.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      // They leave the list by themselves.
      filter.index === 'without-vectors' && (state.data?.total ?? 0) > 0
        ? vectorsPollMs
        : filter.status !== 'pending' && filter.index !== 'failed' && state.data?.items.some(isBeingIndexed)
          ? indexPollMs
          : false,
  })
}

export interface ChatAddress {
  readonly channelId: string
  readonly chatId: string
}

/** A version of a document. Without `version`, the server picks the one that the user may read. */
export interface DocumentSource {
  readonly _id: string
  readonly version?: number | undefined
  /** Set for a file that is attached to this chat; then `_id` is the id of the attachment. */
  readonly chat?: ChatAddress | undefined
}

function versionQuery({ version }: DocumentSource) {
  return version === undefined ? {} : { version }
}

function fetchFile(source: DocumentSource, signal: AbortSignal) {
  const { _id, chat } = source
  return chat
    ? call(attachmentsApi.download, { params: { ...chat, attachmentId: _id } }, { signal })
    : call(documentsApi.download, { params: { id: _id }, query: versionQuery(source) }, { signal })
}

export function documentFileQuery(source: DocumentSource) {
  return queryOptions({
    queryKey: ['document-file', source._id, source.version],
    queryFn: ({ signal }) => fetchFile(source, signal),
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

function fetchText(source: DocumentSource, start: number, signal: AbortSignal) {
  const { _id, chat } = source
  if (chat)
    return call(attachmentsApi.text, { params: { ...chat, attachmentId: _id }, query: { start } }, { signal })
  return call(
    documentsApi.text,
    { params: { id: source._id }, query: { start, ...versionQuery(source) } },
    { signal },
  )
}

/** One part of a document's text, starting at a character offset. */
export function documentPartQuery(source: DocumentSource, start: number) {
  return queryOptions({
    queryKey: ['document-text', source._id, source.version, start],
    queryFn: ({ signal }) => fetchText(source, start, signal),
    gcTime: 60_000,
  })
}

/** The text of a document, loaded in parts. The server extracts it first if the document is not indexed yet. */
export function documentTextQuery(source: DocumentSource) {
  return infiniteQueryOptions({
    queryKey: ['document-text', source._id, source.version, 'parts'],
    queryFn: ({ signal, pageParam }) => fetchText(source, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ pages, total }) => {
      const last = pages.at(-1)
      const end = last === undefined ? total : last.start + last.text.length
      return end < total ? end : undefined
    },
    gcTime: 60_000,
  })
}

/** Key prefix of the versions of a document. */
export function documentVersionsKey({ _id }: Pick<Document, '_id'>) {
  return ['document-versions', _id] as const
}

/** The key changes when a version is added, reviewed or put into use, so that the list is refetched. */
export function documentVersionsQuery({ _id, version, status, answering }: Document) {
  return queryOptions({
    queryKey: [...documentVersionsKey({ _id }), version, status, answering],
    queryFn: ({ signal }) => call(documentsApi.versions, { params: { id: _id } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ index }) => index && isIndexing(index.state)) ? indexPollMs : false,
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  })
}

/** How often the screen polls for decisions while a proposal is pending. */
const proposalPollMs = 5000

/** The user's own proposals in a channel, newest first. */
export function proposalsQuery(channelId: string) {
  return queryOptions({
    queryKey: ['proposals', channelId],
    queryFn: ({ signal }) => call(documentsApi.proposals, { params: { id: channelId } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'pending') ? proposalPollMs : false,
  })
}
