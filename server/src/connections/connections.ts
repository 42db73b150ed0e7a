import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import type { Secrets } from '#keys/secrets.ts'
import {
  type AssistantEvent,
  createAssistant,
  type EndpointKind,
  openEmbedder,
} from '#providers/assistant/assistant.ts'
import type { EmbeddingConnection } from '#providers/assistant/embedder.ts'
import { maskSecrets } from '#providers/assistant/mask-secrets.ts'
import type { Assistant, Embedder } from '#providers/assistant/port.ts'
import { createOutbox } from '#providers/mail/outbox.ts'
import type { Mailer } from '#providers/mail/port.ts'
import { createSmtp } from '#providers/mail/smtp.ts'
import { listConfiguredSecrets } from '../configured-secrets.ts'
import type { Env } from '../env.ts'
import { releaseReserve } from '../files/reserve.ts'
import {
  type EffectiveConnections,
  getDefaultSender,
  getEmbeddingConnection,
  readConnections,
} from './effective.ts'

/** The connections that apply now. `deps.assistant` and `deps.mail` use them. */
export interface Connections {
  readonly current: EffectiveConnections
  /** The model of an earlier connection. Null if it has none. */
  openEmbedder(connection: EmbeddingConnection): Embedder | null
  /** Reads the stored connections again. Running replies finish on the model they began with. */
  reload(): Promise<void>
}

interface ConnectionOptions {
  env: Env
  db: Db
  secrets: Secrets
  log: Logger
  now: () => number
}

export function createMailer({ mail }: EffectiveConnections, options: ConnectionOptions): Mailer {
  const { env, log, now } = options
  if (mail.value) return createSmtp(mail.value, mail.value.from)
  return createOutbox({
    folder: join(env.DATA_DIR, 'outbox'),
    from: getDefaultSender(env),
    log,
    now,
    makeRoom: () => releaseReserve(env.DATA_DIR),
  })
}

/** Of failures, and of the first success after one. */
type ModelEventHandler = (kind: EndpointKind, event: AssistantEvent) => Promise<void>

/** Events that say nothing about whether the endpoint works. */
const unstoredEvents: ReadonlySet<AssistantEvent['event']> = new Set([
  'model.retried',
  'model.unreadable',
  'assistant.missing',
])

function createCurrentAssistant(
  current: EffectiveConnections,
  { env, log, now }: ConnectionOptions,
  onModelEvent: ModelEventHandler,
): Assistant {
  const { model, embeddings, reranking, mail } = current
  const assistant = createAssistant({
    apiKey: model.value?.apiKey,
    baseUrl: model.value?.baseUrl,
    assistantsBaseUrl: env.ASSISTANTS_BASE_URL,
    assistantsApiKey: env.ASSISTANTS_API_KEY,
    embedding: getEmbeddingConnection(current, env),
    reranking: reranking.value,
    modelMap: env.MODEL_MAP,
    pictureModels: env.PICTURE_MODELS,
    now,
    log: (event, kind) => {
      if (event.event !== 'model.answered') log.warn(event, 'model request failed')
      if (!unstoredEvents.has(event.event)) void onModelEvent(kind, event)
    },
  })
  const secrets = [model, embeddings, reranking].map(({ value }) => value?.apiKey)
  return maskSecrets(assistant, listConfiguredSecrets(env, [...secrets, mail.value?.password]))
}

/**
 * Opens the endpoints and the mail server. The returned providers always forward to the current ones, so that
 * code which holds them needs no restart after a change.
 */
export async function openConnections(
  options: ConnectionOptions,
  onModelEvent: ModelEventHandler,
): Promise<{ connections: Connections; assistant: Assistant; mail: Mailer }> {
  const { db, secrets, env, log } = options
  async function open() {
    const current = await readConnections(db, secrets, env)
    for (const [part, { source }] of Object.entries(current))
      if (source === 'unreadable')
        log.warn({ part }, 'the stored settings of a connection cannot be decrypted')
    return {
      current,
      assistant: createCurrentAssistant(current, options, onModelEvent),
      mail: createMailer(current, options),
    }
  }
  let opened = await open()
  let earlier: { connection: string; embedder: Embedder | null } | null = null
  let lastReload: Promise<unknown> = Promise.resolve()
  async function replace(): Promise<void> {
    const { mail: previous } = opened
    opened = await open()
    // Emails under way have a network connection of their own, which this does not close.
    await previous.close()
  }
  return {
    connections: {
      get current() {
        return opened.current
      },
      openEmbedder(connection) {
        const { now } = options
        // The same one for all questions, so that it is left alone while it fails.
        const json = JSON.stringify(connection)
        if (earlier?.connection !== json)
          earlier = {
            connection: json,
            embedder: openEmbedder(connection, {
              now,
              log: (event) => {
                if (event.event !== 'model.answered') log.warn(event, 'request to an earlier model failed')
              },
            }),
          }
        return earlier.embedder
      },
      reload() {
        // One after the other: an earlier read must not replace the result of a later one.
        const reloaded = lastReload.then(replace)
        lastReload = reloaded.catch(() => undefined)
        return reloaded
      },
    },
    assistant: {
      get chat() {
        return opened.assistant.chat
      },
      get embedder() {
        return opened.assistant.embedder
      },
      get reranker() {
        return opened.assistant.reranker
      },
      get external() {
        return opened.assistant.external
      },
    },
    mail: {
      get delivers() {
        return opened.mail.delivers
      },
      send: (mail) => opened.mail.send(mail),
      verify: () => opened.mail.verify(),
      close: () => opened.mail.close(),
    },
  }
}
