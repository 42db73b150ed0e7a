import type {
  ConnectionPart,
  EmbeddingsConnectionInput,
  MailConnectionInput,
  ModelConnectionInput,
  RerankingConnectionInput,
} from '@lyceum/contract/connections'
import type { PartTestResult } from '@lyceum/contract/status'
import { createAssistant, openEmbedder, openReranker } from '#providers/assistant/assistant.ts'
import type { Assistant, ChatModel } from '#providers/assistant/port.ts'
import { createSmtp } from '#providers/mail/smtp.ts'
import type { Actor } from '../../actor.ts'
import {
  applyEmbeddingVariables,
  getEmbeddingConnection,
  getEmbeddingModel,
} from '../../connections/effective.ts'
import { requireReachableHost } from '../../connections/reachable-host.ts'
import {
  readStored,
  type StoredModel,
  storedEmbeddings,
  storedMail,
  storedModel,
  storedReranking,
} from '../../connections/stored.ts'
import type { Deps } from '../../deps.ts'
import { summarizeModelTests, testEmbedder, testModels, testReranker } from '../assistants/model-tests.ts'
import { auditAlone } from '../audit/append.ts'
import { formatServer } from '../status/facts.ts'
import { type TestOutcome, testMailer, verifyMailer } from '../status/part-tests.ts'
import { testPart } from '../status/status.ts'
import { mergeEmbeddings, mergeMail, mergeModel, mergeReranking } from './merge.ts'

/** Runs a test and audits it with the server it went to, so that nobody can scan a network unseen. */
async function runTest(
  deps: Deps,
  actor: Actor,
  { part, server, run }: { part: ConnectionPart; server: string; run: () => Promise<TestOutcome> },
): Promise<PartTestResult> {
  const startedAt = performance.now()
  const outcome = await run()
  await auditAlone(deps, {
    actor,
    action: 'settings.tested',
    result: outcome.ok ? 'ok' : 'failed',
    after: { part, server },
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - startedAt) }
}

/** The model for all other labels may not be stored yet. */
function withDefaultModel(chat: ChatModel, model: string): ChatModel {
  return {
    ...chat,
    withModelMap: ({ '*': _, ...others }) =>
      chat.withModelMap(model === '' ? others : { ...others, '*': model }),
  }
}

/** The embedding model is left out if another server embeds. */
function createCandidate(deps: Deps, value: StoredModel, model: string): Assistant {
  const { env, now, connections } = deps
  const candidate = { ...value, embeddingModel: getEmbeddingModel(env, value.embeddingModel) }
  const { embeddings } = connections.current
  const assistant = createAssistant({
    apiKey: value.apiKey,
    baseUrl: value.baseUrl,
    embedding:
      embeddings.source === 'none'
        ? getEmbeddingConnection({ model: { source: 'stored', value: candidate }, embeddings }, env)
        : null,
    modelMap: env.MODEL_MAP,
    pictureModels: env.PICTURE_MODELS,
    now,
  })
  return { ...assistant, chat: assistant.chat && withDefaultModel(assistant.chat, model) }
}

/** Asks each model one short question, and the embedding model for one vector. */
export async function tryModel(
  deps: Deps,
  actor: Actor,
  input: ModelConnectionInput,
): Promise<PartTestResult> {
  const value = mergeModel(deps.env, await readStored(deps.db, deps.secrets, storedModel), input)
  const address = value.baseUrl || 'https://api.openai.com/v1'
  const url = new URL(address)
  if (value.baseUrl !== '') await requireReachableHost(url.hostname, 'baseUrl')
  const assistant = createCandidate(deps, value, input.model)
  const candidate = { ...deps, assistant }
  async function run(): Promise<TestOutcome> {
    const [models, ...embedders] = await Promise.all([
      testModels(candidate, actor, address),
      ...(assistant.embedder ? [testEmbedder(candidate, actor, address)] : []),
    ])
    return summarizeModelTests([...models, ...embedders])
  }
  return runTest(deps, actor, { part: 'model', server: url.host, run })
}

export async function tryEmbeddings(
  deps: Deps,
  actor: Actor,
  input: EmbeddingsConnectionInput,
): Promise<PartTestResult> {
  const { env, now } = deps
  const value = mergeEmbeddings(env, await readStored(deps.db, deps.secrets, storedEmbeddings), input)
  const { hostname, host } = new URL(value.baseUrl)
  await requireReachableHost(hostname, 'baseUrl')
  const embedder = openEmbedder(applyEmbeddingVariables(env, value), { now })
  const candidate = { ...deps, assistant: { ...deps.assistant, embedder } }
  async function run(): Promise<TestOutcome> {
    return summarizeModelTests([await testEmbedder(candidate, actor, value.baseUrl)])
  }
  return runTest(deps, actor, { part: 'embeddings', server: host, run })
}

export async function tryReranking(
  deps: Deps,
  actor: Actor,
  input: RerankingConnectionInput,
): Promise<PartTestResult> {
  const value = mergeReranking(deps.env, await readStored(deps.db, deps.secrets, storedReranking), input)
  const { hostname, host } = new URL(value.url)
  await requireReachableHost(hostname, 'url')
  const reranker = openReranker(value, { now: deps.now })
  const candidate = { ...deps, assistant: { ...deps.assistant, reranker } }
  async function run(): Promise<TestOutcome> {
    return summarizeModelTests([await testReranker(candidate, value.url)])
  }
  return runTest(deps, actor, { part: 'reranking', server: host, run })
}

/** Uses the server that is set up once, without an email. Its state is stored as after any other use. */
export async function checkConnection(
  deps: Deps,
  actor: Actor,
  part: ConnectionPart,
): Promise<PartTestResult> {
  const { mail, embeddings } = deps.connections.current
  if (part === 'mail') {
    const server = mail.value === null ? 'none' : formatServer(mail.value)
    return runTest(deps, actor, { part, server, run: () => verifyMailer(deps) })
  }
  const tested = await testPart(deps, actor, part)
  // The server of the model may embed as well.
  if (part !== 'model' || embeddings.source !== 'none' || !deps.assistant.embedder) return tested
  const embedded = await testPart(deps, actor, 'embeddings')
  return {
    ok: tested.ok && embedded.ok,
    words: [...new Set([...tested.words, ...embedded.words])],
    details: [...new Set([...(tested.details ?? []), ...(embedded.details ?? [])])],
    milliseconds: tested.milliseconds + embedded.milliseconds,
  }
}

/** Sends the administrator an email. */
export async function tryMail(deps: Deps, actor: Actor, input: MailConnectionInput): Promise<PartTestResult> {
  const value = mergeMail(deps.env, await readStored(deps.db, deps.secrets, storedMail), input)
  await requireReachableHost(value.host, 'host')
  const mailer = createSmtp(value, deps.env.SMTP_FROM ?? value.from)
  async function run(): Promise<TestOutcome> {
    try {
      return await testMailer(mailer, actor, value)
    } finally {
      await mailer.close()
    }
  }
  return runTest(deps, actor, { part: 'mail', server: formatServer(value), run })
}
