import { type DocumentKind, documentKinds, documentsApi, uploadDescription } from '@lyceum/contract/documents'
import { errors } from '@lyceum/contract/errors'
import { isAborted, isRetryable, messageOf } from '#api/api-error.ts'
import { readToken } from '#api/token.ts'
import { upload } from '#api/upload.ts'
import { log } from '#lib/log.ts'
import { randomKey } from '#lib/random-key.ts'
import { createStore } from '#lib/store.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { findPdfFault } from '#ui/pdf/pdf-fault.ts'

/** The document type by file extension; null if it is not supported. */
export function detectKind({ name }: Pick<File, 'name'>): DocumentKind | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return documentKinds.find((kind) => kind === extension) ?? null
}

/** 'preview': a PDF that the user has to preview before it is sent. 'broken': one that can only be skipped. */
type UploadState = 'preview' | 'broken' | 'waiting' | 'sending' | 'done' | 'failed'

export interface UploadEntry {
  readonly id: string
  readonly channelId: string
  readonly file: File
  readonly state: UploadState
  /** The part that has been sent, from 0 to 1. */
  readonly progress: number
  /** Why it failed, or what is wrong with the PDF. */
  readonly reason: string | null
  readonly canRetry: boolean
}

/** The server accepts two uploads of one user at a time. */
const maxConcurrent = 2

const titleMaxLength = 300

/** A PDF starts in 'preview'; an unsupported file fails at once. */
function createEntry(channelId: string, file: File): UploadEntry {
  const entry = { id: randomKey(), channelId, file, progress: 0, reason: null, canRetry: false }
  const kind = detectKind(file)
  if (kind === null) return { ...entry, state: 'failed', reason: errors['document.type'].message }
  return { ...entry, state: kind === 'pdf' ? 'preview' : 'waiting' }
}

/**
 * Uploads to channels. The queue outlives the screen that filled it, so an administrator can go on to review the
 * first document while the others are still being sent.
 */
export function createUploadQueue() {
  const store = createStore<readonly UploadEntry[]>([])
  const storedCount = createStore(0)
  let owner: string | null = null
  /** The channel whose uploads are on the screen. */
  let shownChannelId: string | null = null
  const controllers = new Map<string, AbortController>()
  let lastCheck = Promise.resolve()

  function warnBeforeLeaving(event: BeforeUnloadEvent): void {
    event.preventDefault()
  }

  function set(next: readonly UploadEntry[]): void {
    if (next.some(isActive)) addEventListener('beforeunload', warnBeforeLeaving)
    else removeEventListener('beforeunload', warnBeforeLeaving)
    store.set(next)
  }
  function change(id: string, part: Partial<UploadEntry>): void {
    set(store.get().map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))
  }
  function drop(unwanted: (entry: UploadEntry) => boolean): void {
    for (const entry of store.get().filter(unwanted)) controllers.get(entry.id)?.abort()
    set(store.get().filter((entry) => !unwanted(entry)))
  }

  /** Marks a PDF that nobody could read, unless the user has already decided about it. */
  async function check({ id, file }: UploadEntry): Promise<void> {
    const reason = await findPdfFault(file)
    const isUndecided = store.get().some((entry) => entry.id === id && entry.state === 'preview')
    if (reason !== null && isUndecided) change(id, { state: 'broken', reason })
  }

  function fail({ id, channelId }: UploadEntry, error: unknown): void {
    if (isAborted(error)) return
    log('An upload failed', error)
    const reason = messageOf(error, texts.documents.upload.failed)
    change(id, { state: 'failed', reason, canRetry: isRetryable(error) })
    if (channelId !== shownChannelId) banner.error(reason)
  }

  async function send(entry: UploadEntry): Promise<void> {
    const { id, channelId, file } = entry
    const controller = new AbortController()
    controllers.set(id, controller)
    change(id, { state: 'sending', progress: 0, reason: null })
    const fields = { channelId, title: file.name.slice(0, titleMaxLength), description: uploadDescription }
    try {
      await upload(
        documentsApi.upload,
        { file, fields },
        { signal: controller.signal, idempotencyKey: id, onProgress: (progress) => change(id, { progress }) },
      )
      change(id, { state: 'done', progress: 1 })
      storedCount.set(storedCount.get() + 1)
      banner.success(texts.documents.upload.done)
    } catch (error) {
      fail(entry, error)
    } finally {
      controllers.delete(id)
      pump()
    }
  }

  function pump(): void {
    // If another user has signed in to this tab, never send the previous user's files on their behalf.
    if (readToken() !== owner) drop(isActive)
    function hasFreeSlot(): boolean {
      return store.get().filter(({ state }) => state === 'sending').length < maxConcurrent
    }
    for (let next = findNext(store.get()); next && hasFreeSlot(); next = findNext(store.get()))
      void send(next)
  }

  return {
    ...store,
    /** How many uploads the server has stored since the page was opened. */
    storedCount,
    /** While a channel's uploads are shown, their failures are not reported a second time by the banner. */
    show: (channelId: string | null): void => {
      shownChannelId = channelId
    },
    add: (channelId: string, files: readonly File[]): void => {
      if (readToken() !== owner) drop(() => true)
      owner = readToken()
      const added = files.map((file) => createEntry(channelId, file))
      set([...store.get(), ...added])
      pump()
      // One at a time, because each one is read into memory.
      for (const entry of added.filter(({ state }) => state === 'preview'))
        lastCheck = lastCheck.then(() => check(entry))
    },
    /** Sends previewed PDFs, and retries failed uploads. */
    release: (ids: readonly string[]): void => {
      set(
        store
          .get()
          .map((entry) => (ids.includes(entry.id) ? { ...entry, state: 'waiting' as const } : entry)),
      )
      pump()
    },
    /** Removes files from the queue and aborts those being sent. */
    cancel: (ids: readonly string[]): void => {
      drop(({ id }) => ids.includes(id))
      pump()
    },
    /** Removes entries that were uploaded, or cannot be. */
    clearFinished: (channelId: string): void =>
      drop((entry) => entry.channelId === channelId && isFinished(entry)),
    clear: (): void => drop(() => true),
  }
}

function isActive({ state }: UploadEntry): boolean {
  return state === 'waiting' || state === 'sending'
}

function isFinished({ state, canRetry }: UploadEntry): boolean {
  return state === 'done' || state === 'broken' || (state === 'failed' && !canRetry)
}

function findNext(entries: readonly UploadEntry[]): UploadEntry | undefined {
  return entries.find(({ state }) => state === 'waiting')
}

export const uploads = createUploadQueue()
