import { type Document, documentsApi } from '@lyceum/contract/documents'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The key of all that a channel's test bench holds. */
function benchKey(channelId: string) {
  return ['test-bench', channelId] as const
}

/** The questions, and the runs newest first. Read again whenever it is opened: other administrators test too. */
export function testBenchQuery(channelId: string) {
  return queryOptions({
    queryKey: [...benchKey(channelId), 'questions'],
    queryFn: ({ signal }) => call(testQuestionsApi.list, { params: { id: channelId } }, { signal }),
    staleTime: 0,
  })
}

/** A run with what it found. */
export function testRunQuery(channelId: string, runId: string) {
  return queryOptions({
    queryKey: [...benchKey(channelId), 'run', runId],
    queryFn: ({ signal }) => call(testQuestionsApi.getRun, { params: { id: channelId, runId } }, { signal }),
    staleTime: 60_000,
  })
}

const choicesShown = 50

/** Approved documents of a channel to choose from; what is not among the first is searched for. */
export function documentChoicesQuery(channelId: string, search: string) {
  return queryOptions({
    queryKey: [...benchKey(channelId), 'choices', search],
    queryFn: async ({ signal }): Promise<{ items: Document[]; total: number }> => {
      const query = {
        channelId,
        status: 'approved' as const,
        limit: choicesShown,
        skip: 0,
        ...(search === '' ? {} : { search }),
      }
      const reply = await call(documentsApi.list, { query }, { signal })
      return Array.isArray(reply) ? { items: reply, total: reply.length } : reply
    },
    placeholderData: keepPreviousData,
  })
}
