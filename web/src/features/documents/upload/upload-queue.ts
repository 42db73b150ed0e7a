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

/** What a file calls itself by the end of its name; null when that is no document. */
export function kindOf({ name }: File): DocumentKind | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return documentKinds.find((kind) => kind === extension) ?? null
}

/** 'review': a PDF that has to be looked at before it is sent. */
type UploadState = 'review' | 'waiting' | 'sending' | 'done' | 'failed'

export interface UploadEntry {
  readonly id: string
  readonly channelId: string
  readonly file: File
  readonly state: UploadState
  /** How much has left, from 0 to 1. */
  readonly share: number
  /** Why it failed. */
  readonly reason: string | null
  readonly canRetry: boolean
}

/** The server takes two of one person at a time. */
const mostAtOnce = 2

const longestTitle = 300

/** A PDF is looked at first; what is no document is refused before it is sent. */
function entryOf(channelId: string, file: File): UploadEntry {
  const entry = { id: randomKey(), channelId, file, share: 0, reason: null, canRetry: false }
  const kind = kindOf(file)
  if (kind === null) return { ...entry, state: 'failed', reason: errors['document.type'].message }
  return { ...entry, state: kind === 'pdf' ? 'review' : 'waiting' }
}

/**
 * Files on their way into channels. The queue outlives the screen it was filled on: who goes on to review the first
 * document does not lose the others.
 */
export function createUploadQueue() {
  const store = createStore<readonly UploadEntry[]>([])
  const storedCount = createStore(0)
  let owner: string | null = null
  const aborts = new Map<string, AbortController>()

  function warnBeforeLeaving(event: BeforeUnloadEvent): void {
    event.preventDefault()
  }

  function set(next: readonly UploadEntry[]): void {
    if (next.some(isOnItsWay)) addEventListener('beforeunload', warnBeforeLeaving)
    else removeEventListener('beforeunload', warnBeforeLeaving)
    store.set(next)
  }
  function change(id: string, part: Partial<UploadEntry>): void {
    set(store.get().map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))
  }
  function drop(unwanted: (entry: UploadEntry) => boolean): void {
    for (const entry of store.get().filter(unwanted)) aborts.get(entry.id)?.abort()
    set(store.get().filter((entry) => !unwanted(entry)))
  }

  function fail(id: string, error: unknown): void {
    if (isAborted(error)) return
    log('An upload failed', error)
    const reason = messageOf(error, texts.documents.upload.failed)
    change(id, { state: 'failed', reason, canRetry: isRetryable(error) })
    banner.error(reason)
  }

  async function send({ id, channelId, file }: UploadEntry): Promise<void> {
    const abort = new AbortController()
    aborts.set(id, abort)
    change(id, { state: 'sending', share: 0, reason: null })
    const fields = { channelId, title: file.name.slice(0, longestTitle), description: uploadDescription }
    try {
      await upload(
        documentsApi.upload,
        { file, fields },
        { signal: abort.signal, idempotencyKey: id, onProgress: (share) => change(id, { share }) },
      )
      change(id, { state: 'done', share: 1 })
      storedCount.set(storedCount.get() + 1)
      banner.success(texts.documents.upload.done)
    } catch (error) {
      fail(id, error)
    } finally {
      aborts.delete(id)
      pump()
    }
  }

  function pump(): void {
    // What one person chose is never sent in the name of the next one in this tab.
    if (readToken() !== owner) drop(isOnItsWay)
    function isFree(): boolean {
      return store.get().filter(({ state }) => state === 'sending').length < mostAtOnce
    }
    for (let next = findNext(store.get()); next && isFree(); next = findNext(store.get())) void send(next)
  }

  return {
    ...store,
    /** How many uploads the server has stored since the page was opened. */
    storedCount,
    add: (channelId: string, files: readonly File[]): void => {
      if (readToken() !== owner) drop(() => true)
      owner = readToken()
      set([...store.get(), ...files.map((file) => entryOf(channelId, file))])
      pump()
    },
    /** Sends PDFs that have been looked at, and what failed once more. */
    release: (ids: readonly string[]): void => {
      set(
        store
          .get()
          .map((entry) => (ids.includes(entry.id) ? { ...entry, state: 'waiting' as const } : entry)),
      )
      pump()
    },
    /** Takes files out of the queue; one that is being sent is broken off. */
    cancel: (ids: readonly string[]): void => {
      drop(({ id }) => ids.includes(id))
      pump()
    },
    /** Forgets what needs nothing more: what has arrived, and what would be refused again. */
    clearFinished: (channelId: string): void =>
      drop((entry) => entry.channelId === channelId && isFinished(entry)),
    clear: (): void => drop(() => true),
  }
}

function isOnItsWay({ state }: UploadEntry): boolean {
  return state === 'waiting' || state === 'sending'
}

function isFinished({ state, canRetry }: UploadEntry): boolean {
  return state === 'done' || (state === 'failed' && !canRetry)
}

function findNext(entries: readonly UploadEntry[]): UploadEntry | undefined {
  return entries.find(({ state }) => state === 'waiting')
}

export const uploads = createUploadQueue()
