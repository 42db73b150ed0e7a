import '#lib/outlive-stop-signals.ts'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { openArchives } from '#providers/archives/open-archives.ts'
import type { ArchivesLocation } from '#providers/archives/port.ts'
import { openFiles } from '#providers/files/open-files.ts'
import type { FilesLocation } from '#providers/files/port.ts'
import { describeFailure } from './describe-failure.ts'
import { type BackupMade, type BackupRequest, makeBackup } from './make-backup.ts'

export interface ChildRequest extends BackupRequest {
  files: FilesLocation
  archives: ArchivesLocation
}

export type ChildOutcome = { made: BackupMade } | { reason: string }

/** The input is one line, and ends when the server does. Then another server may make a backup, so this process ends. */
async function readRequest(): Promise<ChildRequest> {
  const input = createInterface({ input: process.stdin })
  input.once('close', () => process.exit(1))
  const [line] = (await once(input, 'line')) as [string]
  return JSON.parse(line) as ChildRequest
}

async function run(): Promise<ChildOutcome> {
  try {
    // The server shares this machine, and its requests matter more than a fast backup.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    const { files, archives, ...request } = await readRequest()
    return { made: await makeBackup(await openFiles(files), await openArchives(archives), request) }
  } catch (error) {
    return { reason: describeFailure(error) }
  }
}

process.stdout.write(JSON.stringify(await run()), () => process.exit(0))
