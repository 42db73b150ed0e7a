import { type StatusPart, statusApi } from '@lyceum/contract/status'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { systemStatusQuery } from '../queries.ts'

function useInvalidateStatus() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: systemStatusQuery().queryKey })
}

/** Tests a part of the installation. Its card shows the result beside the button. */
export function useTestPart(part: StatusPart) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(statusApi.test, { params: { part } }),
    // Many screens show whether a part works.
    onSettled: () => client.invalidateQueries(),
  })
}

export function useRetryJob() {
  const refresh = useInvalidateStatus()
  return useMutation({
    mutationFn: (id: string) => call(statusApi.retryJob, { params: { id } }),
    onSuccess: () => banner.success(texts.status.retry.done),
    onError: (error) => banner.error(messageOf(error, texts.status.retry.failed)),
    onSettled: refresh,
  })
}
