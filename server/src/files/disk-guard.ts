import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import { computeMinimumFree, type DiskSpace, readDiskSpace } from './disk-space.ts'
import { computeReserveSize, createReserve, hasDiskRoom, isReserveHeld } from './reserve.ts'

const checkInterval = 5_000

interface DiskState extends DiskSpace {
  /** Uploads are refused if they would leave fewer bytes than this. */
  minimumFree: number
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
  /** Throws `storage.full` if there is no space for an upload of this size. */
  requireFreeSpace(neededBytes: number): void
  /** Creates the reserve now and whenever there is room for it again. */
  start(options: { whileFull: () => Promise<void> }): void
  stop(): Promise<void>
}

export interface DiskGuardOptions {
  folder: string
  /** Whether stored files are on this disk. Otherwise they only pass through it. */
  holdsFiles: boolean
  log: Logger
  /** Bytes inside the database file that it can use again without growing. */
  countReusableBytes: () => Promise<number>
}

/** Bytes that uploads leave free: for the database, or only for the reserve if their files do not stay on the disk. */
export function computeUploadMinimum(capacity: number, holdsFiles: boolean): number {
  return holdsFiles ? computeMinimumFree(capacity) : computeReserveSize(capacity)
}

export function createDiskGuard({
  folder,
  holdsFiles,
  log,
  countReusableBytes,
}: DiskGuardOptions): DiskGuard {
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | null = null
  let wasFull = false

  async function read(): Promise<DiskState> {
    const space = readDiskSpace(folder)
    // Deleted messages leave room inside the database file, which never shrinks.
    const isFull =
      !hasDiskRoom(folder, space) && (await countReusableBytes()) < computeReserveSize(space.capacity)
    return { ...space, minimumFree: computeUploadMinimum(space.capacity, holdsFiles), isFull }
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
    requireFreeSpace(neededBytes) {
      const { free, capacity } = readDiskSpace(folder)
      if (free - neededBytes < computeUploadMinimum(capacity, holdsFiles)) throw new AppError('storage.full')
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
