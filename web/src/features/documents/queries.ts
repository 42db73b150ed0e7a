import { type Document, type DocumentStatus, documentsApi, isIndexing } from '@lyceum/contract/documents'
import { listMaximum } from '@lyceum/contract/wire'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** What the documents of each channel take up right now. */
export function storageQuery() {
  return queryOptions({
    queryKey: ['document-storage'],
    queryFn: ({ signal }) => call(documentsApi.storage, {}, { signal }),
    staleTime: 0,
  })
}

export const documentsPerPage = 20

/** How long a screen waits before it looks again at a document that is being indexed. */
export const indexPollMs = 2000

export interface DocumentFilter {
  /** From 1. */
  page: number
  status?: DocumentStatus
  channelId?: string
  search?: string
}

export interface DocumentPage {
  items: Document[]
  total: number
  totalPages: number
}

export function pagesOf(total: number): number {
  return Math.ceil(total / documentsPerPage)
}

/** The key all lists of documents begin with. */
export const documentLists = ['documents'] as const

export function isUnfinished(document: Document): boolean {
  return isIndexing(document.index.state)
}

async function readPage(
  filter: Omit<DocumentFilter, 'page'>,
  limit: number,
  skip: number,
  signal?: AbortSignal,
): Promise<DocumentPage> {
  const reply = await call(documentsApi.list, { query: { ...filter, limit, skip } }, { signal })
  return Array.isArray(reply) ? { items: reply, total: reply.length, totalPages: 1 } : reply
}

/** The newest documents that match, up to `most`. */
export async function documentsMatching(
  filter: Omit<DocumentFilter, 'page'>,
  most: number,
): Promise<Document[]> {
  const found: Document[] = []
  for (let total = most; found.length < Math.min(total, most); ) {
    const part = await readPage(filter, Math.min(listMaximum, most - found.length), found.length)
    if (part.items.length === 0) break
    found.push(...part.items)
    total = part.total
  }
  return found
}

/**
 * A page of documents, newest first. It looks again while one of them is being indexed, unless it holds only pending
 * ones: there, what was just approved stays in its place instead of vanishing at the next look.
 */
export function documentsQuery({ page, ...filter }: DocumentFilter) {
  return queryOptions({
    queryKey: [...documentLists, { page, ...filter }],
    queryFn: ({ signal }) => readPage(filter, documentsPerPage, (page - 1) * documentsPerPage, signal),
    // Other administrators decide too: a list that is opened again is read again.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      filter.status !== 'pending' && state.data?.items.some(isUnfinished) ? indexPollMs : false,
  })
}

/** A document in one of its versions. Without a number it is the version that the viewer may read. */
export interface DocumentSource {
  readonly _id: string
  readonly version?: number | undefined
}

function queryOf({ version }: DocumentSource) {
  return version === undefined ? {} : { version }
}

export function documentFileQuery(source: DocumentSource) {
  return queryOptions({
    queryKey: ['document-file', source._id, source.version],
    queryFn: ({ signal }) =>
      call(documentsApi.download, { params: { id: source._id }, query: queryOf(source) }, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

function readText(source: DocumentSource, start: number, signal: AbortSignal) {
  return call(
    documentsApi.text,
    { params: { id: source._id }, query: { start, ...queryOf(source) } },
    { signal },
  )
}

/** The part of a document's text that begins at a character. */
export function documentPartQuery(source: DocumentSource, start: number) {
  return queryOptions({
    queryKey: ['document-text', source._id, source.version, start],
    queryFn: ({ signal }) => readText(source, start, signal),
    gcTime: 60_000,
  })
}

/** A document's text part by part, as it was read when it was indexed. */
export function documentTextQuery(source: DocumentSource) {
  return infiniteQueryOptions({
    queryKey: ['document-text', source._id, source.version, 'parts'],
    queryFn: ({ signal, pageParam }) => readText(source, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ pages, total }) => {
      const last = pages.at(-1)
      const end = last === undefined ? total : last.start + last.text.length
      return end < total ? end : undefined
    },
    gcTime: 60_000,
  })
}

/** A document's versions, read anew when one is added, decided on or begins to answer. */
export function documentVersionsQuery({ _id, version, status, answering }: Document) {
  return queryOptions({
    queryKey: ['document-versions', _id, version, status, answering],
    queryFn: ({ signal }) => call(documentsApi.versions, { params: { id: _id } }, { signal }),
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
