import { documentsApi } from '@lyceum/contract/documents'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** What the documents of each channel take up right now. */
export const storageQuery = () =>
  queryOptions({
    queryKey: ['document-storage'],
    queryFn: ({ signal }) => call(documentsApi.storage, {}, { signal }),
    staleTime: 0,
  })
