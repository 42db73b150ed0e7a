import { type Document, documentsApi } from '@lyceum/contract/documents'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { countPages, type DocumentPage, documentListsKey } from './queries.ts'

type Change = (page: DocumentPage) => DocumentPage

export function hasDocument(page: DocumentPage | undefined, id: string): boolean {
  return page?.items.some(({ _id }) => _id === id) ?? false
}

/** Changes only the cached lists that contain the document. */
async function changeLists(client: QueryClient, id: string, change: Change): Promise<void> {
  // A response in flight may be older than this change.
  await client.cancelQueries({
    queryKey: documentListsKey,
    predicate: ({ state }) => state.data !== undefined,
  })
  client.setQueriesData<DocumentPage>({ queryKey: documentListsKey }, (page) =>
    page && hasDocument(page, id) ? change(page) : undefined,
  )
}

export function mergeDocument(client: QueryClient, document: Document): Promise<void> {
  return changeLists(client, document._id, (page) => ({
    ...page,
    items: page.items.map((item) => (item._id === document._id ? document : item)),
  }))
}

function isEmptied(page: DocumentPage | undefined): boolean {
  return page !== undefined && page.items.length === 0 && page.total > 0
}

export async function dropDocument(client: QueryClient, id: string): Promise<void> {
  await changeLists(client, id, ({ items, total }) => ({
    items: items.filter(({ _id }) => _id !== id),
    total: total - 1,
    totalPages: countPages(total - 1),
  }))
  // Refetch a page that lost its last row, to fill it with the rows that follow.
  void client.invalidateQueries({
    queryKey: documentListsKey,
    predicate: ({ state }) => isEmptied(state.data as DocumentPage | undefined),
  })
}

/** Refetches one document and updates its rows, or removes them and returns null if it was deleted. */
export async function refreshDocument(
  client: QueryClient,
  id: string,
  signal?: AbortSignal,
): Promise<Document | null> {
  try {
    const document = await call(documentsApi.get, { params: { id } }, { signal })
    await mergeDocument(client, document)
    return document
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    await dropDocument(client, id)
    return null
  }
}
