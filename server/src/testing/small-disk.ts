import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Launcher } from './spawn-server.ts'

/** A file system of its own, which only the programs that `run` starts can see at `folder`. */
export interface SmallDisk {
  /** Its folder as those programs see it. */
  folder: string
  /** The same folder as this process sees it. */
  path: string
  /** Starts a program that sees the disk. */
  run(...command: [string, ...string[]]): Launcher
  resize(megabytes: number): void
  /** Takes all space that is left, or all but some bytes. */
  fill(leave?: number): void
  /** Gives back the space that `fill` took. */
  free(): void
  freeBytes(): number
  remove(): void
}

const isRoot = process.getuid?.() === 0
/** Others than root may mount only as the root of a user namespace. */
const namespaces = isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount']
const sameNamespaces = isRoot ? ['--mount'] : ['--user', '--preserve-credentials', '--mount']

/** Mounts the disk in a namespace and keeps it there until it is killed. */
const holdDisk = 'mount -t tmpfs -o "size=$1m" small-disk "$0" && echo mounted && exec sleep infinity'

async function holdNamespace(folder: string, megabytes: number): Promise<ChildProcess> {
  const args = [...namespaces, 'sh', '-c', holdDisk, folder, String(megabytes)]
  const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [holder.stdout, holder.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')])
  if (output.trim() !== 'mounted')
    throw new Error(`This test needs to mount a small file system (unshare, mount), but cannot: ${output}`)
  return holder
}

/** Appends to the file until the disk has no byte left. */
export function writeUntilFull(path: string): void {
  const file = openSync(path, 'a')
  try {
    // The last attempts use up what is less than a mebibyte.
    for (const size of [2 ** 20, 2 ** 12, 1])
      try {
        for (const chunk = Buffer.alloc(size); ; ) writeSync(file, chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
  } finally {
    closeSync(file)
  }
}

/** Mounts a small file system at `folder`/disk. `Linux` only, with or without root. */
export async function createSmallDisk(parent: string, megabytes: number): Promise<SmallDisk> {
  const folder = join(parent, 'disk')
  mkdirSync(folder)
  const holder = await holdNamespace(folder, megabytes)
  const path = `/proc/${holder.pid}/root${folder}`
  const filler = join(path, 'filler')

  function enter(command: readonly string[]): [string, ...string[]] {
    return ['nsenter', '--target', String(holder.pid), ...sameNamespaces, ...command]
  }

  return {
    folder,
    path,
    run: (...command) => ({ command: enter(command) }),
    resize(size) {
      const [program, ...args] = enter([
        'mount',
        '-t',
        'tmpfs',
        '-o',
        `remount,size=${size}m`,
        'small-disk',
        folder,
      ])
      execFileSync(program, args)
    },
    fill(leave = 0) {
      writeUntilFull(filler)
      truncateSync(filler, statSync(filler).size - leave)
    },
    free: () => rmSync(filler, { force: true }),
    freeBytes() {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    },
    remove: () => void holder.kill('SIGKILL'),
  }
}
