import type { ConnectionPart, MailConnectionInput, ModelConnectionInput } from '@lyceum/contract/connections'
import type { PartTestResult } from '@lyceum/contract/status'
import { createEndpointAssistant } from '#providers/assistant/assistant.ts'
import { readEndpoint } from '#providers/assistant/endpoint.ts'
import type { Assistant, ChatModel } from '#providers/assistant/port.ts'
import { createSmtp } from '#providers/mail/smtp.ts'
import type { Actor } from '../../actor.ts'
import { getEmbeddingModel } from '../../connections/effective.ts'
import { readStored, type StoredModel, storedMail, storedModel } from '../../connections/stored.ts'
import type { Deps } from '../../deps.ts'
import { summarizeModelTests, testEmbedder, testModels } from '../assistants/model-state.ts'
import { auditAlone } from '../audit/append.ts'
import { formatServer } from '../status/facts.ts'
import { type TestOutcome, testMailer } from '../status/part-tests.ts'
import { mergeMail, mergeModel } from './merge.ts'
import { requireReachableHost } from './reachable-host.ts'

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

function createCandidate(
  deps: Deps,
  { apiKey, baseUrl, embeddingModel }: StoredModel,
  model: string,
): Assistant {
  const { env, now } = deps
  const endpoint = readEndpoint(apiKey, baseUrl)
  if (!endpoint) return { chat: null, embedder: null, external: null }
  const options = {
    embeddingModel: getEmbeddingModel(env, embeddingModel) || 'none',
    modelMap: env.MODEL_MAP,
    pictureModels: env.PICTURE_MODELS,
    now,
  }
  const { chat, embedder } = createEndpointAssistant(endpoint, options)
  return { chat: chat && withDefaultModel(chat, model), embedder, external: null }
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
