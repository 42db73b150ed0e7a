import { type Document, documentsApi } from '@lyceum/contract/documents'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The key of all that a channel's test bench holds. */
const benchKey = (channelId: string) => ['test-bench', channelId] as const

/** The questions, and the runs newest first. Read again whenever it is opened: other administrators test too. */
export const testBenchQuery = (channelId: string) =>
  queryOptions({
    queryKey: [...benchKey(channelId), 'questions'],
    queryFn: ({ signal }) => call(testQuestionsApi.list, { params: { id: channelId } }, { signal }),
    staleTime: 0,
  })

/** A run with what it found. */
export const testRunQuery = (channelId: string, runId: string) =>
  queryOptions({
    queryKey: [...benchKey(channelId), 'run', runId],
    queryFn: ({ signal }) => call(testQuestionsApi.getRun, { params: { id: channelId, runId } }, { signal }),
    staleTime: 60_000,
  })

const choicesShown = 50

/** Approved documents of a channel to choose from; what is not among the first is searched for. */
export const documentChoicesQuery = (channelId: string, search: string) =>
  queryOptions({
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
