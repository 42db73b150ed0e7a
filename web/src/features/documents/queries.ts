import { type Document, type DocumentStatus, documentsApi, isIndexing } from '@lyceum/contract/documents'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

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

export const pagesOf = (total: number): number => Math.ceil(total / documentsPerPage)

/** The key all lists of documents begin with. */
export const documentLists = ['documents'] as const

export const isUnfinished = (document: Document): boolean => isIndexing(document.index.state)

/**
 * A page of documents, newest first. It looks again while one of them is being indexed, unless it holds only pending
 * ones: there, what was just approved stays in its place instead of vanishing at the next look.
 */
export const documentsQuery = ({ page, ...filter }: DocumentFilter) =>
  queryOptions({
    queryKey: [...documentLists, { page, ...filter }],
    queryFn: async ({ signal }): Promise<DocumentPage> => {
      const query = { ...filter, limit: documentsPerPage, skip: (page - 1) * documentsPerPage }
      const reply = await call(documentsApi.list, { query }, { signal })
      return Array.isArray(reply) ? { items: reply, total: reply.length, totalPages: 1 } : reply
    },
    // Other administrators decide too: a list that is opened again is read again.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      filter.status !== 'pending' && state.data?.items.some(isUnfinished) ? indexPollMs : false,
  })

export const documentFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['document-file', id],
    queryFn: ({ signal }) => call(documentsApi.download, { params: { id } }, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
  })

/** A document's text part by part, as it was read when it was indexed. */
export const documentTextQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['document-text', id, 'parts'],
    queryFn: ({ signal, pageParam }) =>
      call(documentsApi.text, { params: { id }, query: { start: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pages, total }) => {
      const last = pages.at(-1)
      const end = last === undefined ? total : last.start + last.text.length
      return end < total ? end : undefined
    },
    gcTime: 60_000,
  })
