import { runAlone } from '#db/run-alone.ts'
import { backupJobs } from './backup/jobs.ts'
import { getDatabaseLocation } from './backup/locations.ts'
import { isClockWrong, toDatabaseTime } from './cluster/cluster-state.ts'
import type { Deps } from './deps.ts'
import { apiKeysJobs } from './features/api-keys/jobs.ts'
import { assistantsJobs } from './features/assistants/jobs.ts'
import { auditJobs } from './features/audit/jobs.ts'
import { authJobs } from './features/auth/jobs.ts'
import { chatsJobs } from './features/chats/jobs.ts'
import { connectedProgramsJobs } from './features/connected-programs/jobs.ts'
import { documentsJobs } from './features/documents/jobs.ts'
import { embeddingJobs } from './features/embedding/jobs.ts'
import { invitationsJobs } from './features/invitations/jobs.ts'
import { singleSignOnJobs } from './features/single-sign-on/jobs.ts'
import { webhooksJobs } from './features/webhooks/jobs.ts'
import { createJobRunner, type JobRunner } from './jobs/runner.ts'
import { mailJobs } from './mail/send-mail.ts'

export function createWorker(deps: Deps): JobRunner {
  const jobs = [
    ...mailJobs,
    ...backupJobs(deps.env),
    ...assistantsJobs,
    ...auditJobs,
    ...authJobs,
    ...apiKeysJobs,
    ...connectedProgramsJobs,
    ...embeddingJobs,
    ...invitationsJobs,
    ...singleSignOnJobs,
    ...webhooksJobs,
    ...documentsJobs,
    ...chatsJobs,
  ]
  return createJobRunner(deps, jobs, {
    runAlone: (name, task) => runAlone(getDatabaseLocation(deps.env), name, task),
    now: () => toDatabaseTime(deps.cluster, deps.now()),
    // Documents wait for disk space. Emails and the deletion of old data do not.
    isHeldBack: async (lane) =>
      isClockWrong(deps.cluster) || (lane !== 'short' && (await deps.disk.read()).isFull),
  })
}
