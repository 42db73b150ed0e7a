import type { Citation } from '@lyceum/contract/chats'

export interface ReplyText {
  readonly text: string
  readonly citations: readonly Citation[]
  /** How much of the text was there before anything was added. */
  readonly begun: number
}

/** Often enough to read along. */
const batchMs = 50
/** Seldomer than this, a text comes in jerks. */
const longestBatchMs = 200
/** Of the time, what showing a text may take: a slow phone has to scroll and to hear the finger too. */
const share = 1 / 4

/** Tells what a change took until it was on the screen, the waiting for the next frame left out. */
function timeDrawing(begun: number, tell: (ms: number) => void): void {
  // React draws in a microtask of its own, which came first.
  queueMicrotask(() => {
    const drawn = performance.now() - begun
    requestAnimationFrame(() => {
      const framed = performance.now()
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        tell(drawn + performance.now() - framed)
      }
      port2.postMessage(null)
    })
  })
}

/**
 * The text of a reply while it grows. Kept outside React's tree, so that only the component that shows it draws
 * again, and not at every piece that arrives.
 */
export function createLiveText({ text, citations }: Omit<ReplyText, 'begun'>) {
  let shown: ReplyText = { text, citations, begun: text.length }
  let arrived = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = batchMs
  const listeners = new Set<() => void>()

  function show(next: ReplyText): void {
    shown = next
    for (const listener of listeners) listener()
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (arrived === '') return
    const text = shown.text + arrived
    arrived = ''
    const begun = performance.now()
    show({ ...shown, text })
    if (listeners.size > 0)
      timeDrawing(begun, (ms) => {
        pauseMs = Math.min(longestBatchMs, Math.max(batchMs, ms / share))
      })
  }

  return {
    read: (): ReplyText => shown,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Begins anew with what there is: nothing, or what the reply goes on with. */
    begin: ({ text, citations }: Omit<ReplyText, 'begun'>): void => {
      clearTimeout(timer)
      timer = undefined
      arrived = ''
      show({ text, citations, begun: text.length })
    },
    append: (text: string): void => {
      arrived += text
      timer ??= setTimeout(flush, pauseMs)
    },
    cite: (citation: Citation): void => {
      const others = shown.citations.filter(({ n }) => n !== citation.n)
      show({ ...shown, citations: [...others, citation] })
    },
    flush,
  }
}

export type LiveText = ReturnType<typeof createLiveText>
