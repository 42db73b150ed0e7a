import { webhooksApi } from '@lyceum/contract/webhooks'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import {
  addWebhook,
  changeWebhook,
  presentDeliveries,
  presentWebhooks,
  removeWebhook,
  replaceSecret,
  resendDelivery,
  testWebhook,
} from './webhooks.ts'

export function webhooksRoutes(http: Http, deps: Deps): void {
  http.serve(webhooksApi.get, () => presentWebhooks(deps))
  http.serve(webhooksApi.add, ({ actor, body }) => addWebhook(deps, actor, body))
  http.serve(webhooksApi.change, ({ actor, params, body }) =>
    changeWebhook(deps, actor, params.webhookId, body),
  )
  http.serve(webhooksApi.remove, ({ actor, params }) => removeWebhook(deps, actor, params.webhookId))
  http.serve(webhooksApi.replaceSecret, ({ actor, params }) => replaceSecret(deps, actor, params.webhookId))
  http.serve(webhooksApi.test, ({ actor, params }) => testWebhook(deps, actor, params.webhookId))
  http.serve(webhooksApi.deliveries, ({ params }) => presentDeliveries(deps, params.webhookId))
  http.serve(webhooksApi.resend, ({ params }) => resendDelivery(deps, params.webhookId, params.deliveryId))
}
