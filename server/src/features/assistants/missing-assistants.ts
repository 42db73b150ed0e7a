import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { deleteSetting, readSetting, writeSetting } from '#db/settings.ts'
import { type ExternalAssistants, ModelError } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { lockAssistants } from './store.ts'

const settingKey = 'missingAssistants'
/** The oldest ids are forgotten; asking again finds them again. */
const maximum = 200

const stored = z.object({ server: z.string(), ids: z.array(z.string()) })

/** An id that one assistants server does not know may exist on another. */
function getServer({ env, connections }: Deps): string {
  return env.ASSISTANTS_BASE_URL ?? connections.current.model.value?.baseUrl ?? ''
}

async function readIds(deps: Deps, db: Deps['db'] | Tx): Promise<string[]> {
  const { data } = stored.safeParse(await readSetting(db, settingKey))
  return data?.server === getServer(deps) ? data.ids : []
}

/** The ids that the assistants server did not know when it was asked last. Empty without such a server. */
export async function readMissingAssistants(deps: Deps): Promise<ReadonlySet<string>> {
  return new Set(deps.assistant.external === null ? [] : await readIds(deps, deps.db))
}

/** Forgets what an earlier connection answered. */
export async function forgetMissingAssistants(tx: Tx): Promise<void> {
  await deleteSetting(tx, settingKey)
}

async function record(deps: Deps, assistantId: string, isMissing: boolean): Promise<void> {
  try {
    // Most replies change nothing, and need no lock.
    if ((await readIds(deps, deps.db)).includes(assistantId) === isMissing) return
    await deps.db.transaction().execute(async (tx) => {
      await lockAssistants(tx)
      const others = (await readIds(deps, tx)).filter((id) => id !== assistantId)
      const ids = isMissing ? [...others, assistantId].slice(-maximum) : others
      await writeSetting(tx, settingKey, { server: getServer(deps), ids }, deps.now())
    })
  } catch (error) {
    deps.log.warn({ err: error }, 'could not store whether the assistants server has an assistant')
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof ModelError &&
    (error.code === 'assistant.gone' || error.code === 'assistant.not_configured')
  )
}

/**
 * Remembers which assistants the server has, so that lists of channels can warn about the missing ones without asking
 * it.
 */
export function rememberMissing(deps: Deps, external: ExternalAssistants): ExternalAssistants {
  return {
    async find(assistantId, signal) {
      const found = await external.find(assistantId, signal)
      await record(deps, assistantId, found === null)
      return found
    },
    async *reply(request) {
      try {
        for await (const event of external.reply(request)) {
          if (event.type === 'started') await record(deps, request.assistantId, false)
          yield event
        }
      } catch (error) {
        if (isMissing(error)) await record(deps, request.assistantId, true)
        throw error
      }
    },
  }
}
