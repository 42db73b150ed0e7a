import {
  type AuditStream,
  auditStreamApi,
  type ReceiverInput,
  type StartPoint,
} from '@lyceum/contract/audit-stream'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { auditStreamQuery } from './queries.ts'

function useStoreResult() {
  const client = useQueryClient()
  return (data: AuditStream) => client.setQueryData(auditStreamQuery().queryKey, data)
}

/** Adds a receiver, or changes the one with this id. The form shows errors. */
export function useSaveReceiver(id: string | null) {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: ({ receiver, startsAt }: { receiver: ReceiverInput; startsAt: StartPoint }) =>
      id === null
        ? call(auditStreamApi.add, { body: { receiver, startsAt } })
        : call(auditStreamApi.change, { params: { receiverId: id }, body: receiver }),
    onSuccess(result) {
      storeResult(result)
      banner.success(id === null ? texts.auditStream.add.done : texts.auditStream.change.done)
    },
    // The input contains the secret.
    gcTime: 0,
  })
}

export function useRemoveReceiver() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (receiverId: string) => call(auditStreamApi.remove, { params: { receiverId } }),
    onSuccess(result) {
      storeResult(result)
      banner.success(texts.auditStream.remove.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.auditStream.remove.failed)),
  })
}

export function useTestReceiver(id: string | null) {
  return useMutation({
    mutationFn: (receiver: ReceiverInput) =>
      call(auditStreamApi.test, { body: { receiver, ...(id === null ? {} : { receiverId: id }) } }),
    gcTime: 0,
  })
}
