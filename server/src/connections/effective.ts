import { embeddingModelDefault } from '@lyceum/contract/connections'
import type { Executor } from '#db/client.ts'
import type { Secrets } from '#keys/secrets.ts'
import { parseSmtpUrl } from '#providers/mail/smtp.ts'
import type { Env } from '../env.ts'
import {
  readStored,
  type StoredConnection,
  type StoredEmbeddings,
  type StoredMail,
  type StoredModel,
  type StoredReranking,
  storedEmbeddings,
  storedMail,
  storedModel,
  storedReranking,
} from './stored.ts'

/** The values that apply now. Those of the environment take precedence over stored ones, always as a whole. */
type Effective<V> =
  | { source: 'environment' | 'stored'; value: V }
  | { source: 'none' | 'unreadable'; value: null }

export interface EffectiveConnections {
  model: Effective<StoredModel>
  /** A server of its own; without one, the model's endpoint embeds. */
  embeddings: Effective<StoredEmbeddings>
  reranking: Effective<StoredReranking>
  mail: Effective<StoredMail>
}

/** Without `SMTP_FROM`, uses the host of this installation, or one that mail software accepts as local. */
export function getDefaultSender({ PUBLIC_URL, SMTP_FROM }: Pick<Env, 'PUBLIC_URL' | 'SMTP_FROM'>): string {
  const { hostname: host } = new URL(PUBLIC_URL)
  return SMTP_FROM ?? `lyceum@${host.includes('.') ? host : 'localhost.localdomain'}`
}

/** Empty without embeddings. `EMBEDDING_MODEL` takes precedence even if the endpoint is stored. */
export function getEmbeddingModel({ EMBEDDING_MODEL }: Pick<Env, 'EMBEDDING_MODEL'>, chosen: string): string {
  const name = EMBEDDING_MODEL ?? chosen
  return name === 'none' ? '' : name
}

/** The environment takes precedence even if the server is stored. */
function getPrefixes(env: Env, chosen: Pick<StoredEmbeddings, 'queryPrefix' | 'passagePrefix'>) {
  return {
    queryPrefix: env.EMBEDDING_QUERY_PREFIX ?? chosen.queryPrefix,
    passagePrefix: env.EMBEDDING_PASSAGE_PREFIX ?? chosen.passagePrefix,
  }
}

/** The values with those of the environment that take precedence. */
export function applyEmbeddingVariables(env: Env, value: StoredEmbeddings): StoredEmbeddings {
  return { ...value, model: getEmbeddingModel(env, value.model), ...getPrefixes(env, value) }
}

/** What embeds: the server for it, or else the model's endpoint. Null without embeddings. */
export function getEmbeddingConnection(
  { model, embeddings }: Pick<EffectiveConnections, 'model' | 'embeddings'>,
  env: Env,
): StoredEmbeddings | null {
  if (embeddings.source !== 'none') return embeddings.value
  if (!model.value) return null
  const { baseUrl, apiKey, embeddingModel } = model.value
  return {
    baseUrl,
    apiKey,
    model: embeddingModel,
    ...getPrefixes(env, { queryPrefix: '', passagePrefix: '' }),
  }
}

/** A key of the environment is never sent to a stored address, nor a stored key to an address of the environment. */
function readEnvironmentModel(env: Env): StoredModel | null {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseUrl = '' } = env
  if (apiKey === '' && baseUrl === '') return null
  return { baseUrl, apiKey, embeddingModel: getEmbeddingModel(env, embeddingModelDefault) }
}

function readEnvironmentEmbeddings(env: Env): StoredEmbeddings | null {
  const { EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: apiKey = '' } = env
  if (baseUrl === undefined) return null
  return applyEmbeddingVariables(env, { baseUrl, apiKey, model: '', queryPrefix: '', passagePrefix: '' })
}

function readEnvironmentReranking(env: Env): StoredReranking | null {
  const { RERANK_URL: url, RERANK_API_KEY: apiKey = '', RERANK_MODEL: model = '' } = env
  return url === undefined ? null : { url, apiKey, model }
}

function readEnvironmentMail(env: Env): StoredMail | null {
  return env.SMTP_URL === undefined ? null : { ...parseSmtpUrl(env.SMTP_URL), from: getDefaultSender(env) }
}

/** Decides which servers apply. */
export async function readConnections(
  db: Executor,
  secrets: Secrets,
  env: Env,
): Promise<EffectiveConnections> {
  async function read<V>(
    fixed: V | null,
    connection: StoredConnection<V>,
    applyVariables: (value: V) => V,
  ): Promise<Effective<V>> {
    if (fixed) return { source: 'environment', value: fixed }
    const reading = await readStored(db, secrets, connection)
    if (reading.state !== 'stored') return { source: reading.state, value: null }
    return { source: 'stored', value: applyVariables(reading.value) }
  }
  return {
    model: await read(readEnvironmentModel(env), storedModel, (value) => ({
      ...value,
      embeddingModel: getEmbeddingModel(env, value.embeddingModel),
    })),
    embeddings: await read(readEnvironmentEmbeddings(env), storedEmbeddings, (value) =>
      applyEmbeddingVariables(env, value),
    ),
    reranking: await read(readEnvironmentReranking(env), storedReranking, (value) => value),
    mail: await read(readEnvironmentMail(env), storedMail, (value) => ({
      ...value,
      from: env.SMTP_FROM ?? value.from,
    })),
  }
}
