import { analyticsApi, type UnansweredQuestion } from '@lyceum/contract/analytics'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages/admin.ts'
import { questionsKey } from './queries.ts'

/** Marks a question as dealt with, or takes that back; it then stands on the other list. */
export const useResolve = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id, resolved }: UnansweredQuestion) =>
      call(analyticsApi.resolve, { params: { id: _id }, body: { isResolved: resolved === null } }),
    onSuccess: (_, { resolved }) =>
      notice.success(resolved === null ? messages.analytics.resolve.done : messages.analytics.reopen.done),
    onError: (error, { resolved }) => {
      const words = resolved === null ? messages.analytics.resolve : messages.analytics.reopen
      notice.error(messageOf(error, words.failed))
    },
    onSettled: () => client.invalidateQueries({ queryKey: questionsKey }),
  })
}
