import { type Document, documentsApi } from '@lyceum/contract/documents'
import { type DocumentChange, testQuestionsApi } from '@lyceum/contract/test-questions'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

function benchKey(channelId: string) {
  return ['test-bench', channelId] as const
}

/** The questions and the runs, newest run first. Refetched whenever the dialog opens: other administrators test too. */
export function testBenchQuery(channelId: string) {
  return queryOptions({
    queryKey: [...benchKey(channelId), 'questions'],
    queryFn: ({ signal }) => call(testQuestionsApi.list, { params: { id: channelId } }, { signal }),
    staleTime: 0,
  })
}

export function testRunQuery(channelId: string, runId: string) {
  return queryOptions({
    queryKey: [...benchKey(channelId), 'run', runId],
    queryFn: ({ signal }) => call(testQuestionsApi.getRun, { params: { id: channelId, runId } }, { signal }),
    staleTime: 60_000,
  })
}

/** The test questions that are answered differently after a change. Asked for each time, since documents change. */
export function answerChangesQuery({ _id }: Document, change: DocumentChange) {
  return queryOptions({
    queryKey: ['answer-changes', _id, change],
    queryFn: ({ signal }) =>
      call(testQuestionsApi.compare, { params: { id: _id }, body: { change } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  })
}

const maxChoices = 50

/** The newest approved documents of a channel to choose from; a search finds the others. */
export function documentChoicesQuery(channelId: string, search: string) {
  return queryOptions({
    queryKey: [...benchKey(channelId), 'choices', search],
    queryFn: async ({ signal }): Promise<{ items: Document[]; total: number }> => {
      const query = {
        channelId,
        status: 'approved' as const,
        limit: maxChoices,
        skip: 0,
        ...(search === '' ? {} : { search }),
      }
      const response = await call(documentsApi.list, { query }, { signal })
      return Array.isArray(response) ? { items: response, total: response.length } : response
    },
    placeholderData: keepPreviousData,
  })
}
