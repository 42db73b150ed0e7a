import { directoriesApi } from '@lyceum/contract/directories'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export function directoriesQuery() {
  return queryOptions({
    queryKey: ['directories'],
    queryFn: ({ signal }) => call(directoriesApi.list, {}, { signal }),
  })
}
