import type { Citation } from '@lyceum/contract/citations'
import { nextTask } from '#lib/next-task.ts'
import { createStore } from '#lib/store.ts'

export interface ReplyText {
  readonly text: string
  readonly citations: readonly Citation[]
  /** The length of the text before anything was added. */
  readonly initialLength: number
}

/** Short enough for the text to appear smoothly. */
const minBatchMs = 50
/** Upper bound on the batch interval: above it, text appears in visible jumps. */
const maxBatchMs = 200
/** Share of main-thread time that rendering may take, so that scrolling and taps stay responsive on slow phones. */
const renderingShare = 1 / 4

/** Measures how long a change takes to render and paint, without the wait for the next frame. */
function measureRendering(startedAt: number, onMeasured: (ms: number) => void): void {
  // React renders in a microtask that was queued before this one.
  queueMicrotask(() => {
    const renderMs = performance.now() - startedAt
    requestAnimationFrame(() => {
      const frameAt = performance.now()
      // The next task begins after the frame was painted.
      void nextTask().then(() => onMeasured(renderMs + performance.now() - frameAt))
    })
  })
}

/**
 * The text of a reply while it is being written. It is outside React's tree, so that only the component that shows it
 * renders again, and only once per batch.
 */
export function createLiveText({ text, citations }: Omit<ReplyText, 'initialLength'>) {
  const store = createStore<ReplyText>({ text, citations, initialLength: text.length })
  let pending = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let batchMs = minBatchMs

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (pending === '') return
    const shown = store.get()
    const text = shown.text + pending
    pending = ''
    const startedAt = performance.now()
    store.set({ ...shown, text })
    if (store.hasListeners())
      measureRendering(startedAt, (ms) => {
        batchMs = Math.min(maxBatchMs, Math.max(minBatchMs, ms / renderingShare))
      })
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    /** Starts over with the given text: empty, or the beginning of a reply that is continued. */
    begin: ({ text, citations }: Omit<ReplyText, 'initialLength'>): void => {
      clearTimeout(timer)
      timer = undefined
      pending = ''
      store.set({ text, citations, initialLength: text.length })
    },
    append: (text: string): void => {
      pending += text
      timer ??= setTimeout(flush, batchMs)
    },
    cite: (citation: Citation): void => {
      const shown = store.get()
      const others = shown.citations.filter(({ n }) => n !== citation.n)
      store.set({ ...shown, citations: [...others, citation] })
    },
    flush,
  }
}

export type LiveText = ReturnType<typeof createLiveText>
