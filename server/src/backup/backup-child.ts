import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { getPartialPath } from '#providers/archives/local.ts'
import type { ChildOutcome, ChildRequest } from './child-entry.ts'
import type { BackupMade } from './make-backup.ts'

/** The backup failed. The message says why in one sentence. */
class BackupFailed extends Error {}

const entry = fileURLToPath(new URL('./child-entry.ts', import.meta.url))

/** In a bucket, the next scheduled backup discards the parts that were sent. */
async function removePartialFile({ archives, name }: ChildRequest, pid: number | undefined): Promise<void> {
  if ('folder' in archives && pid !== undefined)
    await rm(getPartialPath(join(archives.folder, name), pid), { force: true })
}

/** Makes a backup in a child process, which leaves the event loop and most of the CPU to the server. */
export async function backupInChild(request: ChildRequest, signal: AbortSignal): Promise<BackupMade> {
  const child = spawn(process.execPath, ['--max-old-space-size=512', entry], {
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'close')
  // The child may exit before it has read everything.
  child.stdin.on('error', () => undefined)
  // Stays open, because the child ends with its input.
  child.stdin.write(`${JSON.stringify(request)}\n`)
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  try {
    await ended
    const [stdout, stderr] = await outputs
    if (stdout === '')
      throw new BackupFailed(stderr.trim().slice(-500) || 'The backup process ended unexpectedly.')
    const outcome = JSON.parse(stdout) as ChildOutcome
    if ('reason' in outcome) throw new BackupFailed(outcome.reason)
    return outcome.made
  } catch (error) {
    await removePartialFile(request, child.pid)
    throw error
  }
}
