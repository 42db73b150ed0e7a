import { type ModelMap, mappedLabels } from '@lyceum/contract/assistants'
import type { LanguageModel } from '@lyceum/contract/channels'
import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import { readSetting, writeSetting } from '#db/settings.ts'
import type { ChatModel } from '#providers/assistant/port.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { listOfferedModels, sortLabels } from './offered-models.ts'
import { lockAssistants } from './store.ts'

const storedMap = z.partialRecord(z.enum(mappedLabels), z.string())

function parseModelMap(value: unknown): ModelMap {
  const map = storedMap.safeParse(value)
  return map.success ? map.data : {}
}

/** The map as set by administrators, without the environment's entries. */
export async function readModelMap({ db }: { db: Executor }): Promise<ModelMap> {
  return parseModelMap(await readSetting(db, 'modelMap'))
}

/** The model with the current map. Fetched for each request, so that a change applies from the next one. */
export async function getCurrentModel(deps: Deps, db: Executor = deps.db): Promise<ChatModel | null> {
  return deps.assistant.chat?.withModelMap(await readModelMap({ db })) ?? null
}

interface ModelChanges {
  map: ModelMap
  /** Replaces the list of offered models. If omitted, the list does not change. */
  offered?: LanguageModel[] | undefined
}

/** Omitted entries stay unchanged; entries with an empty value are removed. */
export function changeModels(deps: Deps, actor: Actor, changes: ModelChanges): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAssistants(tx)
    const before = {
      modelMap: parseModelMap(await readSetting(tx, 'modelMap')),
      offered: await listOfferedModels(tx),
    }
    const entries = Object.entries({ ...before.modelMap, ...changes.map })
    const modelMap: ModelMap = Object.fromEntries(entries.filter(([, model]) => model !== ''))
    const offered = sortLabels(changes.offered ?? before.offered)
    await writeSetting(tx, 'modelMap', modelMap, deps.now())
    if (changes.offered) await writeSetting(tx, 'modelsOffered', offered, deps.now())
    const differences = findChanges(before, { modelMap, offered })
    if (differences) await audit(deps, tx, { actor, action: 'settings.changed', ...differences })
  })
}

/** Sets the model for all labels without an entry of their own; an empty name removes it. */
export async function setDefaultModel(deps: Deps, tx: Tx, model: string): Promise<void> {
  await lockAssistants(tx)
  const { '*': _, ...others } = await readModelMap({ db: tx })
  await writeSetting(tx, 'modelMap', model === '' ? others : { ...others, '*': model }, deps.now())
}
