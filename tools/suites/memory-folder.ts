import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const sharedMemory = '/dev/shm'
/** More than the files of a run take at a time. The processes of the tests need memory too. */
const requiredBytes = 10 * 1024 ** 3

/** Whether the mount table lets programs run in shared memory: the tests copy PostgreSQL's. */
export function allowsPrograms(mounts: string): boolean {
  const mount = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, path]) => path === sharedMemory)
  return mount?.[3] !== undefined && !mount[3].split(',').includes('noexec')
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(sharedMemory)
  return Math.min(bavail * bsize, freemem()) >= requiredBytes
}

function canUseMemory(): boolean {
  return (
    process.env['TMPDIR'] === undefined &&
    existsSync(sharedMemory) &&
    allowsPrograms(readFileSync('/proc/mounts', 'utf8')) &&
    hasRoom()
  )
}

/**
 * Runs a suite whose temporary files are in memory, if the machine has enough of it: a test creates up to a thousand files,
 * most of them those of its PostgreSQL database. `run` gets the environment variables to set. TMPDIR overrides the folder.
 */
export async function withMemoryFolder<R>(run: (env: { TMPDIR?: string }) => Promise<R>): Promise<R> {
  if (!canUseMemory()) return run({})
  const folder = mkdtempSync(join(sharedMemory, 'lyceum-'))
  // As /tmp is: some servers that tests start, such as PostgreSQL, run under accounts of their own.
  chmodSync(folder, 0o755)
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
