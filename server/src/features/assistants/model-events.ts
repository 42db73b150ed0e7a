import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { deleteSetting, readSetting, writeSetting } from '#db/settings.ts'
import type { AssistantEvent, EndpointKind } from '#providers/assistant/assistant.ts'
import { isServerDown } from '#providers/assistant/explain-failure.ts'
import type { Deps } from '../../deps.ts'

type FailureDeps = Pick<Deps, 'db' | 'now' | 'log'>

const failure = z.object({
  at: z.int(),
  model: z.string(),
  detail: z.string(),
  /** Whether the same model has answered since, or any model if the failure was of the server. */
  isOver: z.optional(z.boolean()),
})
export type ModelFailure = z.output<typeof failure>

/** Stored separately, because one question can fail at both providers in quick succession. */
const settingKeys: Record<EndpointKind, string> = {
  chat: 'chatFailure',
  embeddings: 'embeddingsFailure',
  reranking: 'rerankingFailure',
}

/** Limits writes: while a provider is down, many calls fail at once. */
const storeInterval = 5_000
const lastStoredAt: Record<EndpointKind, WeakMap<Deps['db'], number>> = {
  chat: new WeakMap(),
  embeddings: new WeakMap(),
  reranking: new WeakMap(),
}

async function readLastFailure({ db }: Pick<Deps, 'db'>, kind: EndpointKind): Promise<ModelFailure | null> {
  return failure.safeParse(await readSetting(db, settingKeys[kind])).data ?? null
}

/** Set as soon as any model of the server has answered. */
const answeredKeys: Record<EndpointKind, string> = {
  chat: 'chatAnswered',
  embeddings: 'embeddingsAnswered',
  reranking: 'rerankingAnswered',
}

/** Whether any model has answered since the connection was set up. */
export async function hasAnswered({ db }: Pick<Deps, 'db'>, kind: EndpointKind): Promise<boolean> {
  return (await readSetting(db, answeredKeys[kind])) !== undefined
}

/** Forgets the failures and answers of an earlier endpoint. */
export async function forgetModelEvents(
  { db }: Pick<Deps, 'db'>,
  tx: Tx,
  kinds: readonly EndpointKind[],
): Promise<void> {
  for (const kind of kinds) {
    // The first failure of the new endpoint is stored at once.
    lastStoredAt[kind].delete(db)
    await deleteSetting(tx, settingKeys[kind])
    await deleteSetting(tx, answeredKeys[kind])
  }
}

async function storeFailure(deps: FailureDeps, kind: EndpointKind, { model, detail }: AssistantEvent) {
  const at = deps.now()
  if (at - (lastStoredAt[kind].get(deps.db) ?? Number.NEGATIVE_INFINITY) < storeInterval) return
  lastStoredAt[kind].set(deps.db, at)
  await writeSetting(deps.db, settingKeys[kind], { at, model, detail: detail.slice(0, 500) }, at)
}

/** Returns whether a failure is over with it. */
async function storeAnswer(
  deps: FailureDeps,
  kind: EndpointKind,
  { model }: AssistantEvent,
): Promise<boolean> {
  if (!(await hasAnswered(deps, kind))) await writeSetting(deps.db, answeredKeys[kind], true, deps.now())
  const last = await readLastFailure(deps, kind)
  if (last === null || last.isOver === true) return false
  if (last.model !== model && !isServerDown(last.detail)) return false
  // The next failure is stored at once.
  lastStoredAt[kind].delete(deps.db)
  await writeSetting(deps.db, settingKeys[kind], { ...last, isOver: true }, deps.now())
  return true
}

/**
 * Stores the last failure of a server for administrators, or that it answers. Returns whether it answers again after a
 * failure.
 */
export async function storeModelEvent(
  deps: FailureDeps,
  kind: EndpointKind,
  event: AssistantEvent,
): Promise<boolean> {
  try {
    if (event.event === 'model.answered') return await storeAnswer(deps, kind, event)
    await storeFailure(deps, kind, event)
  } catch (error) {
    deps.log.warn({ err: error }, 'could not store a failure of the model server')
  }
  return false
}

export function readLastChatFailure(deps: Pick<Deps, 'db'>): Promise<ModelFailure | null> {
  return readLastFailure(deps, 'chat')
}

export function readLastEmbedderFailure(deps: Pick<Deps, 'db'>): Promise<ModelFailure | null> {
  return readLastFailure(deps, 'embeddings')
}

export function readLastRerankerFailure(deps: Pick<Deps, 'db'>): Promise<ModelFailure | null> {
  return readLastFailure(deps, 'reranking')
}
