import { type StatusPart, statusApi } from '@lyceum/contract/status'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { notice } from '#ui/notice.ts'
import { messages } from '../../../messages/admin.ts'
import { systemStatusQuery } from '../queries.ts'

const useRefresh = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: systemStatusQuery().queryKey })
}

/** What came of it is said beside the button. */
export const useTestPart = (part: StatusPart) => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => call(statusApi.test, { params: { part } }),
    onSettled: refresh,
  })
}

export const useRetryJob = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: string) => call(statusApi.retryJob, { params: { id } }),
    onSuccess: () => notice.success(messages.status.retry.done),
    onError: (error) => notice.error(messageOf(error, messages.status.retry.failed)),
    onSettled: refresh,
  })
}
