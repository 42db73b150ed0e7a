import type { SetupProblem } from '@lyceum/contract/channels'
import type { ErrorCode } from '@lyceum/contract/errors'
import type { Deps } from '../../deps.ts'
import { readMissingAssistants } from './missing-assistants.ts'
import { type ChannelSetup, findChannelSetups } from './store.ts'

/** The errors that stay until an administrator has changed the assistant of the channel. */
const setupErrors: Partial<Record<ErrorCode, SetupProblem>> = {
  'assistant.not_configured': 'not-configured',
  'assistant.gone': 'gone',
}

/** The problem that the error tells of. Undefined for errors that have nothing to do with the setup. */
export function toSetupProblem(error: string | null): SetupProblem | undefined {
  return setupErrors[error as ErrorCode]
}

/** A reply that the channel could not give. */
interface SetupFailure {
  /** The problem at that time. */
  problem: SetupProblem
  created_at: number
}

export type SetupProblemLookup = (failure: SetupFailure) => SetupProblem | undefined

/**
 * Returns a function that tells why another attempt would fail like an earlier one. A change of the channel, the
 * assistant, the models or the connection after it may have mended the problem, unless it is known to remain.
 */
export async function createSetupProblemLookup(deps: Deps, channelId: string): Promise<SetupProblemLookup> {
  const setup = (await findChannelSetups(deps.db, [channelId])).get(channelId)
  if (!setup) return ({ problem }) => problem
  const lasting = (await createLastingProblemLookup(deps))(setup)
  return ({ problem, created_at }) => {
    if (lasting !== null) return lasting
    // An assistant that its server did not have is known to last until it is found.
    if (setup.isReadyMade && !setup.hasPreset) return undefined
    // Approving a document does not change the setup.
    return problem === 'no-documents' || setup.changedAt > created_at ? undefined : problem
  }
}

/**
 * The problems that are known without asking the assistants server now, by the id of the channel. Without channels that
 * have none.
 */
export async function findLastingProblems(
  deps: Deps,
  channelIds: readonly string[],
): Promise<Map<string, SetupProblem>> {
  const findLasting = await createLastingProblemLookup(deps)
  const problems = new Map<string, SetupProblem>()
  for (const [id, setup] of await findChannelSetups(deps.db, channelIds)) {
    const problem = findLasting(setup)
    if (problem !== null) problems.set(id, problem)
  }
  return problems
}

async function createLastingProblemLookup(deps: Deps): Promise<(setup: ChannelSetup) => SetupProblem | null> {
  const { assistant } = deps
  const missing = await readMissingAssistants(deps)
  return ({ isReadyMade, assistantId, hasPreset, isStrict, hasDocuments }) => {
    if (!isReadyMade) {
      if (hasDocuments) return null
      if (isStrict) return 'no-documents'
      return assistant.chat === null ? 'no-documents-or-model' : null
    }
    if (hasPreset) return assistant.chat === null ? 'no-model' : null
    return assistant.external === null || missing.has(assistantId) ? 'gone' : null
  }
}
