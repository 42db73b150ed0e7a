import type { ModelError } from './port.ts'

/** For the log and administrators. Never contains a prompt, an answer or a key. */
export interface AssistantEvent {
  event:
    | 'model.retried'
    | 'model.unreadable'
    | 'model.failed'
    | 'model.refused_key'
    | 'model.answered'
    | 'assistant.missing'
  model: string
  detail: string
}

/** What an endpoint is used for. */
export type EndpointKind = 'chat' | 'embeddings' | 'reranking'

export type AssistantLog = (event: AssistantEvent, kind: EndpointKind) => void

export interface Report {
  retry(model: string, detail: string): void
  /** Events of a stream that were skipped. Does nothing for 0. */
  badEvents(model: string, count: number): void
  failure(model: string, failure: ModelError): void
  success(model: string): void
  /** The assistants server works, but has no such assistant. */
  missingAssistant(model: string, failure: ModelError): void
}

const refusedKeyIntervalMs = 60_000
/** The key is invalid or may not use the model. */
const refusedKey = /^the provider answered 40[13]\b/

/** Another server may have reported a failure, so that a success counts even if nothing has failed here. */
const successIntervalMs = 60_000

/** Reports a refused key at most once a minute, because it makes every call fail, and so a success without a failure. */
export function createReport(
  logEvent: AssistantLog | undefined,
  now: () => number,
  kind: EndpointKind = 'chat',
): Report {
  function log(event: AssistantEvent): void {
    logEvent?.(event, kind)
  }
  let lastRefusal = Number.NEGATIVE_INFINITY
  const lastSuccesses = new Map<string, number>()
  return {
    retry: (model, detail) => log({ event: 'model.retried', model, detail }),
    badEvents(model, count) {
      if (count === 0) return
      log({ event: 'model.unreadable', model, detail: `skipped ${count} unreadable events of the stream` })
    },
    success(model) {
      if (now() - (lastSuccesses.get(model) ?? Number.NEGATIVE_INFINITY) < successIntervalMs) return
      lastSuccesses.set(model, now())
      log({ event: 'model.answered', model, detail: '' })
    },
    failure(model, { detail }) {
      lastSuccesses.clear()
      if (!refusedKey.test(detail)) {
        log({ event: 'model.failed', model, detail })
      } else if (now() - lastRefusal >= refusedKeyIntervalMs) {
        lastRefusal = now()
        log({ event: 'model.refused_key', model, detail })
      }
    },
    missingAssistant: (model, { detail }) => log({ event: 'assistant.missing', model, detail }),
  }
}
