import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { requireMember } from '../channels/access.ts'
import { findAvailableVersions } from '../documents/access.ts'

/** The given documents that citations of the channel cannot open any more. */
export async function findDeletedSources(
  deps: Deps,
  actor: Actor,
  channelId: string,
  documentIds: readonly string[],
): Promise<{ documentIds: string[] }> {
  await requireMember(deps.db, actor, channelId)
  const available = await findAvailableVersions(deps.db, channelId, documentIds)
  return { documentIds: documentIds.filter((id) => !available.has(id)) }
}
