import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const sharedMemory = '/dev/shm'
/** More than the files of a run take at a time, and the processes of the tests need memory too. */
const requiredBytes = 10 * 1024 ** 3

/** Whether the mount table allows programs there: the tests copy PostgreSQL's. */
function allowsPrograms(mounts: string): boolean {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, path]) => path === sharedMemory)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(sharedMemory)
  return Math.min(bavail * bsize, freemem()) >= requiredBytes
}

/**
 * Runs a suite whose temporary files are in memory, if the machine has enough of it: a test creates up to a thousand files,
 * mostly those of its PostgreSQL database. `run` gets the environment variables to set. TMPDIR overrides the folder.
 */
export async function withMemoryFolder<R>(run: (env: { TMPDIR?: string }) => Promise<R>): Promise<R> {
  const isPossible =
    process.env['TMPDIR'] === undefined &&
    existsSync(sharedMemory) &&
    allowsPrograms(readFileSync('/proc/mounts', 'utf8')) &&
    hasRoom()
  if (!isPossible) return run({})
  const folder = mkdtempSync(join(sharedMemory, 'lyceum-tests-'))
  function remove() {
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  try {
    return await run({ TMPDIR: folder })
  } finally {
    process.removeListener('exit', remove)
    remove()
  }
}
