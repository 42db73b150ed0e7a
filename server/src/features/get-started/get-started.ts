import { type SetupProgress, type SetupStep, setupSteps } from '@lyceum/contract/get-started'
import type { Permission } from '@lyceum/contract/permissions'
import { type Actor, can } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { readModelHealth } from '../assistants/model-health.ts'
import { isMailFailing, readMailState } from '../status/mail-state.ts'
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
  const { state: modelState } = await readModelHealth(deps)
  const isMailFailingNow = deps.mail.delivers && isMailFailing(await readMailState(deps))
  const problems: Partial<Record<SetupStep, 'failing' | 'untested'>> = {
    ...(modelState === 'failing' || modelState === 'untested' ? { model: modelState } : {}),
    ...(isMailFailingNow ? { mail: 'failing' } : {}),
  }
  const isDone: Record<SetupStep, boolean> = {
    channel: records.hasChannel,
    documents: records.hasDocument,
    approval: records.hasApprovedDocument,
    model: modelState === 'working',
    mail: deps.mail.delivers && !isMailFailingNow,
    people: records.hasInvited,
  }
  return {
    steps: setupSteps
      .filter((step) => stepPermissions[step].every((permission) => can(actor, permission)))
      .map((step) => ({ step, isDone: isDone[step], ...(problems[step] && { problem: problems[step] }) })),
  }
}
