import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import { type DiskSpace, readDiskSpace } from './disk-space.ts'
import { computeReserveSize, createReserve, hasDiskRoom, isReserveHeld } from './reserve.ts'

const checkInterval = 5_000

interface DiskState extends DiskSpace {
  /** New content is refused, so that administrators can still sign in and delete. */
  isFull: boolean
}

/**
 * Keeps a disk that runs full usable. The first write that finds no space deletes the reserve and is repeated. From then
 * on new content is refused, until there is room for another reserve.
 */
export interface DiskGuard {
  read(): Promise<DiskState>
  /** Throws `storage.full` while new content is refused. */
  requireRoom(): Promise<void>
  /** Creates the reserve now and whenever there is room for it again. */
  start(options: { whileFull: () => Promise<void> }): void
  stop(): Promise<void>
}

export interface DiskGuardOptions {
  folder: string
  log: Logger
  /** Bytes inside the database file that it can use again without growing. */
  countReusableBytes: () => Promise<number>
}

export function createDiskGuard({ folder, log, countReusableBytes }: DiskGuardOptions): DiskGuard {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | null = null
  let wasFull = false

  async function read(): Promise<DiskState> {
    const space = readDiskSpace(folder)
    // Deleted messages leave room inside the database file, which never shrinks.
    const isFull =
      !hasDiskRoom(folder, space) && (await countReusableBytes()) < computeReserveSize(space.capacity)
    return { ...space, isFull }
  }

  async function check(whileFull: () => Promise<void>): Promise<void> {
    const state = await read()
    const { free, capacity, isFull } = state
    if (isFull !== wasFull) {
      wasFull = isFull
      if (isFull) log.error({ free, capacity }, 'the disk is full: new messages and uploads are refused')
      else log.warn({ free, capacity }, 'the disk has room again')
    }
    if (isFull) await whileFull()
    if (!isReserveHeld(folder) && hasDiskRoom(folder, state))
      await createReserve(folder, computeReserveSize(capacity))
  }

  return {
    read,
    async requireRoom() {
      if ((await read()).isFull) throw new AppError('storage.full')
    },
    start({ whileFull }) {
      function run(): void {
        checking ??= check(whileFull)
          .catch((error: unknown) => log.warn({ err: error }, 'could not look after the disk space'))
          .finally(() => {
            checking = null
          })
      }
      timer = setInterval(run, checkInterval)
      run()
    },
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}
