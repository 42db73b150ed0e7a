import { backupJobs } from './backup/jobs.ts'
import type { Deps } from './deps.ts'
import { auditJobs } from './features/audit/jobs.ts'
import { authJobs } from './features/auth/jobs.ts'
import { chatsJobs } from './features/chats/jobs.ts'
import { documentsJobs } from './features/documents/jobs.ts'
import { invitationsJobs } from './features/invitations/jobs.ts'
import { createJobRunner, type JobRunner } from './jobs/runner.ts'
import { mailJobs } from './mail/send-mail.ts'

export function createWorker(deps: Deps): JobRunner {
  const jobs = [
    ...mailJobs,
    ...backupJobs(deps.env),
    ...auditJobs,
    ...authJobs,
    ...invitationsJobs,
    ...documentsJobs,
    ...chatsJobs,
  ]
  return createJobRunner(deps, jobs, {
    // Documents wait for disk space. Emails and the deletion of old data do not.
    isHeldBack: async (lane) => lane !== 'short' && (await deps.disk.read()).isFull,
  })
}
