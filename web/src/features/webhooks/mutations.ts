import { type WebhookInput, type Webhooks, webhooksApi } from '@lyceum/contract/webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { deliveriesQuery, webhooksQuery } from './queries.ts'

function useStoreResult() {
  const client = useQueryClient()
  return ({ webhooks }: Webhooks) => client.setQueryData(webhooksQuery().queryKey, { webhooks })
}

/** Returns the new secret. The form shows errors. */
export function useAddWebhook() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (body: WebhookInput) => call(webhooksApi.add, { body }),
    onSuccess: storeResult,
    // The result contains the secret.
    gcTime: 0,
  })
}

/** The form shows errors. */
export function useChangeWebhook(webhookId: string) {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (body: WebhookInput) => call(webhooksApi.change, { params: { webhookId }, body }),
    onSuccess(result) {
      storeResult(result)
      banner.success(texts.webhooks.change.done)
    },
  })
}

export function useRemoveWebhook() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (webhookId: string) => call(webhooksApi.remove, { params: { webhookId } }),
    onSuccess(result) {
      storeResult(result)
      banner.success(texts.webhooks.remove.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.webhooks.remove.failed)),
  })
}

export function useTestWebhook(webhookId: string) {
  return useMutation({ mutationFn: () => call(webhooksApi.test, { params: { webhookId } }) })
}

export function useResendDelivery(webhookId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deliveryId: string) => call(webhooksApi.resend, { params: { webhookId, deliveryId } }),
    onSuccess(result) {
      client.setQueryData(deliveriesQuery(webhookId).queryKey, result)
      banner.success(texts.webhooks.resend.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.webhooks.resend.failed)),
  })
}
