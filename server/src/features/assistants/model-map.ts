import { type ModelMap, mappedLabels } from '@lyceum/contract/assistants'
import * as z from 'zod'
import type { ChatModel } from '#providers/assistant/port.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { changesBetween } from '../audit/changes.ts'
import { holdAssistants, readModelMap, writeModelMap } from './store.ts'

const stored = z.partialRecord(z.enum(mappedLabels), z.string())

const asMap = (value: unknown): ModelMap => {
  const map = stored.safeParse(value)
  return map.success ? map.data : {}
}

/** What administrators have set, without what the environment says. */
export const storedModelMap = async ({ db }: Pick<Deps, 'db'>): Promise<ModelMap> =>
  asMap(await readModelMap(db))

/** The model with the map as it stands at this moment: kept for one request, so that a change holds at the next. */
export const currentModel = async (deps: Deps): Promise<ChatModel | null> =>
  deps.assistant.chat?.mappedBy(await storedModelMap(deps)) ?? null

/** Entries that are not mentioned stay; an empty one goes. */
export const changeModelMap = (deps: Deps, actor: Actor, changes: ModelMap): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    await holdAssistants(tx)
    const before = asMap(await readModelMap(tx))
    const changed = { ...before, ...changes }
    const kept: ModelMap = Object.fromEntries(Object.entries(changed).filter(([, model]) => model !== ''))
    await writeModelMap(tx, kept, deps.now())
    const differences = changesBetween({ modelMap: before }, { modelMap: kept })
    if (differences) await audit(deps, tx, { actor, action: 'settings.changed', ...differences })
  })
