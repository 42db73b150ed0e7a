import {
  type ConnectionHealth,
  type ConnectionPart,
  type Connections,
  connectionParts,
  embeddingModelDefault,
} from '@lyceum/contract/connections'
import type { PartState } from '@lyceum/contract/status'
import {
  applyEmbeddingVariables,
  type EffectiveConnections,
  getDefaultSender,
  getEmbeddingModel,
  readConnections,
} from '../../connections/effective.ts'
import type { Deps } from '../../deps.ts'
import { readModelMap } from '../assistants/model-map.ts'
import { readPart } from '../status/status.ts'

type Env = Deps['env']

/** Names the variable of each field that the environment sets. */
function pickVariables<Field extends string>(
  env: Env,
  variables: readonly (readonly [Field, keyof Env])[],
): Partial<Record<Field, string>> {
  const set = variables.filter(([, variable]) => env[variable] !== undefined)
  return Object.fromEntries(set) as Partial<Record<Field, string>>
}

export function getModelVariables(env: Env) {
  return pickVariables(env, [
    ['baseUrl', 'OPENAI_BASE_URL'],
    ['apiKey', 'OPENAI_API_KEY'],
    ['embeddingModel', 'EMBEDDING_MODEL'],
  ])
}

export function getEmbeddingsVariables(env: Env) {
  return pickVariables(env, [
    ['baseUrl', 'EMBEDDING_BASE_URL'],
    ['apiKey', 'EMBEDDING_API_KEY'],
    ['model', 'EMBEDDING_MODEL'],
    ['queryPrefix', 'EMBEDDING_QUERY_PREFIX'],
    ['passagePrefix', 'EMBEDDING_PASSAGE_PREFIX'],
  ])
}

export function getRerankingVariables(env: Env) {
  return pickVariables(env, [
    ['url', 'RERANK_URL'],
    ['apiKey', 'RERANK_API_KEY'],
    ['model', 'RERANK_MODEL'],
  ])
}

export function getMailVariables(env: Env) {
  return pickVariables(env, [
    ['host', 'SMTP_URL'],
    ['port', 'SMTP_URL'],
    ['encryption', 'SMTP_URL'],
    ['username', 'SMTP_URL'],
    ['password', 'SMTP_URL'],
    ['from', 'SMTP_FROM'],
  ])
}

/** An address in the environment may contain a query, and so a secret. */
function removeQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

async function presentModel(
  deps: Deps,
  { source, value }: EffectiveConnections['model'],
): Promise<Connections['model']> {
  const { env, db } = deps
  return {
    source,
    baseUrl: removeQuery(value?.baseUrl ?? ''),
    hasApiKey: value !== null && value.apiKey !== '',
    model: (await readModelMap({ db }))['*'] ?? '',
    embeddingModel: value?.embeddingModel ?? getEmbeddingModel(env, embeddingModelDefault),
    variables: getModelVariables(env),
  }
}

function presentEmbeddings(
  env: Env,
  { source, value }: EffectiveConnections['embeddings'],
): Connections['embeddings'] {
  const empty = { baseUrl: '', apiKey: '', model: '', queryPrefix: '', passagePrefix: '' }
  const { apiKey, baseUrl, ...rest } = value ?? applyEmbeddingVariables(env, empty)
  return {
    source,
    ...rest,
    baseUrl: removeQuery(baseUrl),
    hasApiKey: apiKey !== '',
    variables: getEmbeddingsVariables(env),
  }
}

function presentReranking(
  env: Env,
  { source, value }: EffectiveConnections['reranking'],
): Connections['reranking'] {
  return {
    source,
    url: removeQuery(value?.url ?? ''),
    hasApiKey: value !== null && value.apiKey !== '',
    model: value?.model ?? '',
    variables: getRerankingVariables(env),
  }
}

function presentMail(env: Env, { source, value }: EffectiveConnections['mail']): Connections['mail'] {
  return {
    source,
    host: value?.host ?? '',
    port: value?.port ?? null,
    encryption: value?.encryption ?? 'starttls',
    username: value?.username ?? '',
    hasPassword: value !== null && value.password !== '',
    from: value?.from ?? getDefaultSender(env),
    variables: getMailVariables(env),
  }
}

const healthByState: Record<PartState, ConnectionHealth> = {
  ok: 'working',
  attention: 'working',
  failing: 'failing',
  untested: 'untested',
  unknown: 'untested',
  off: 'untested',
}

/** How the servers that are set up are, as Status shows it. */
async function readHealth(
  deps: Deps,
  sources: Record<ConnectionPart, Connections['model']['source']>,
): Promise<Connections['health']> {
  const setUp = connectionParts.filter((part) => ['stored', 'environment'].includes(sources[part]))
  const parts = await Promise.all(setUp.map((part) => readPart(deps, part)))
  return Object.fromEntries(parts.map(({ part, state }) => [part, healthByState[state]]))
}

/** From the database, since another server may just have changed it. Never contains a secret, only whether one is set. */
export async function presentConnections(deps: Deps): Promise<Connections> {
  const { model, embeddings, reranking, mail } = await readConnections(deps.db, deps.secrets, deps.env)
  const sources = {
    model: model.source,
    embeddings: embeddings.source,
    reranking: reranking.source,
    mail: mail.source,
  }
  return {
    health: await readHealth(deps, sources),
    model: await presentModel(deps, model),
    embeddings: presentEmbeddings(deps.env, embeddings),
    reranking: presentReranking(deps.env, reranking),
    mail: presentMail(deps.env, mail),
  }
}
