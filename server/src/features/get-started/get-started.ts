import { type SetupProgress, type SetupStep, setupSteps } from '@lyceum/contract/get-started'
import type { Permission } from '@lyceum/contract/permissions'
import { type Actor, can } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { readSetupRecords } from './store.ts'

/** A user sees a step only with all of its permissions: to do it, and to open the page where it is done. */
const stepPermissions: Record<SetupStep, readonly Permission[]> = {
  channel: ['canCreateChannels', 'canManageChannels'],
  documents: ['canUploadDocuments', 'canManageChannels'],
  approval: ['canApproveDocuments', 'canManageDocuments'],
  model: ['canManageSettings'],
  mail: ['canManageSettings'],
  people: ['canCreateUsers', 'canManageUsers'],
}

export async function getSetupProgress(deps: Deps, actor: Actor): Promise<SetupProgress> {
  const records = await readSetupRecords(deps.db)
  const isDone: Record<SetupStep, boolean> = {
    channel: records.hasChannel,
    documents: records.hasDocument,
    approval: records.hasApprovedDocument,
    model: deps.assistant.chat !== null,
    mail: deps.mail.delivers,
    people: records.hasInvited,
  }
  return {
    steps: setupSteps
      .filter((step) => stepPermissions[step].every((permission) => can(actor, permission)))
      .map((step) => ({ step, isDone: isDone[step] })),
  }
}
