import {
  type WebhookDelivery,
  type WebhookInput,
  type Webhooks,
  webhooksApi,
} from '@lyceum/contract/webhooks'
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

/** Returns the new secret. */
export function useReplaceSecret() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (webhookId: string) => call(webhooksApi.replaceSecret, { params: { webhookId } }),
    onSuccess: storeResult,
    onError: (error) => banner.error(messageOf(error, texts.webhooks.replaceSecret.failed)),
    // The result contains the secret.
    gcTime: 0,
  })
}

/** Milliseconds between two requests for the result of an attempt. */
const attemptPollMs = 500
/** The receiver has 15 seconds to answer. This is a little longer, because other deliveries may be sent first. */
const attemptPolls = 40

/** Sends a delivery and waits for the result of the attempt, which the list then shows. */
export function useResendDelivery(webhookId: string) {
  const client = useQueryClient()
  const { queryKey } = deliveriesQuery(webhookId)

  async function send({ _id: deliveryId, attempts }: WebhookDelivery): Promise<WebhookDelivery | undefined> {
    let { deliveries } = await call(webhooksApi.resend, { params: { webhookId, deliveryId } })
    for (let poll = 0; ; poll += 1) {
      const delivery = deliveries.find(({ _id }) => _id === deliveryId)
      const isOver = delivery === undefined || delivery.state !== 'waiting' || delivery.attempts > attempts
      if (isOver || poll === attemptPolls) {
        client.setQueryData(queryKey, { deliveries })
        return delivery
      }
      await new Promise((resolve) => setTimeout(resolve, attemptPollMs))
      deliveries = (await call(webhooksApi.deliveries, { params: { webhookId } })).deliveries
    }
  }

  return useMutation({
    mutationFn: send,
    onSuccess(delivery) {
      // The row shows the result.
      if (delivery?.state === 'delivered') banner.announce(texts.webhooks.resend.delivered)
      else if (delivery?.error) banner.announce(delivery.error)
      else banner.success(texts.webhooks.resend.waiting)
    },
    onError: (error) => banner.error(messageOf(error, texts.webhooks.resend.failed)),
    // Whether the webhook is failing may have changed.
    onSettled: () => client.invalidateQueries(webhooksQuery()),
  })
}
