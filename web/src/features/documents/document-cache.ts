import { type Document, documentsApi } from '@lyceum/contract/documents'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { type DocumentPage, documentLists, pagesOf } from './queries.ts'

type Change = (page: DocumentPage) => DocumentPage

/** Changes the lists that hold a document; the others stay as they are. */
async function changeLists(client: QueryClient, id: string, change: Change): Promise<void> {
  // An answer under way may be older than what is known now.
  await client.cancelQueries({ queryKey: documentLists, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<DocumentPage>({ queryKey: documentLists }, (page) =>
    page?.items.some(({ _id }) => _id === id) ? change(page) : undefined,
  )
}

export function mergeDocument(client: QueryClient, document: Document): Promise<void> {
  return changeLists(client, document._id, (page) => ({
    ...page,
    items: page.items.map((item) => (item._id === document._id ? document : item)),
  }))
}

function isUsedUp(page: DocumentPage | undefined): boolean {
  return page !== undefined && page.items.length === 0 && page.total > 0
}

export async function dropDocument(client: QueryClient, id: string): Promise<void> {
  await changeLists(client, id, ({ items, total }) => ({
    items: items.filter(({ _id }) => _id !== id),
    total: total - 1,
    totalPages: pagesOf(total - 1),
  }))
  // A page that has lost its last row is filled with what comes after it.
  void client.invalidateQueries({
    queryKey: documentLists,
    predicate: ({ state }) => isUsedUp(state.data as DocumentPage | undefined),
  })
}

/** Reads one document anew into its rows; one that is gone leaves them. */
export async function refreshDocument(client: QueryClient, id: string, signal?: AbortSignal): Promise<void> {
  try {
    await mergeDocument(client, await call(documentsApi.get, { params: { id } }, { signal }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    await dropDocument(client, id)
  }
}
