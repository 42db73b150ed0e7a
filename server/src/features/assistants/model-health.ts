import type { ModelTrouble } from '@lyceum/contract/assistants'
import {
  explainModelFailure,
  explainServerFailure,
  isServerDown,
} from '#providers/assistant/explain-failure.ts'
import type { Deps } from '../../deps.ts'
import { hasAnswered, type ModelFailure, readLastChatFailure } from './model-events.ts'

/** A model that failed longer ago than this may be working again. A server that did not answer is not. */
const recentPeriod = 15 * 60_000

/** Without a user name, a password or a query, which may be secrets. An empty address means OpenAI. */
export function getServerAddress(baseUrl: string | undefined): string {
  const { origin, pathname } = new URL(baseUrl || 'https://api.openai.com/v1')
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** Whether a failure still tells how the server is. */
export function isLasting({ now }: Pick<Deps, 'now'>, failure: ModelFailure | null): failure is ModelFailure {
  if (failure === null || failure.isOver === true) return false
  return isServerDown(failure.detail) || now() - failure.at < recentPeriod
}

/** What happened, as sentences. */
export function explainFailure({ model, detail }: ModelFailure, address: string): string {
  return (
    explainServerFailure({ detail }, address) ??
    explainModelFailure({ detail }, address) ??
    `The server at ${address} gave no usable answer with ${model}.`
  )
}

export interface ModelHealth {
  /** `untested`: no model has answered since the connection was set up. */
  state: 'off' | 'untested' | 'working' | 'failing'
  address: string
  lastFailure: ModelFailure | null
}

/** How the model that writes replies is, as far as its last uses tell. */
export async function readModelHealth(deps: Deps): Promise<ModelHealth> {
  const lastFailure = await readLastChatFailure(deps)
  const address = getServerAddress(deps.connections.current.model.value?.baseUrl)
  if (deps.assistant.chat === null) return { state: 'off', address, lastFailure }
  if (isLasting(deps, lastFailure)) return { state: 'failing', address, lastFailure }
  const state = (await hasAnswered(deps, 'chat')) ? 'working' : 'untested'
  return { state, address, lastFailure }
}

/** Null if the model answers, or may answer. */
export async function findModelTrouble(deps: Deps): Promise<ModelTrouble | null> {
  const { state, address, lastFailure } = await readModelHealth(deps)
  if (state === 'off') return { kind: 'off', words: 'No model is connected.' }
  if (state !== 'failing' || lastFailure === null) return null
  return {
    kind: 'failing',
    words: explainFailure(lastFailure, address),
    failedAt: new Date(lastFailure.at).toISOString(),
  }
}
