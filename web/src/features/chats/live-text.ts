import type { Citation } from '@lyceum/contract/chats'

export interface ReplyText {
  readonly text: string
  readonly citations: readonly Citation[]
  /** How much of the text was there before anything was added. */
  readonly begun: number
}

/** Often enough to read along, and seldom enough that a slow phone drops no frames. */
const batchMs = 50

/**
 * The text of a reply while it grows. Kept outside React's tree, so that only the component that shows it draws
 * again, and not at every piece that arrives.
 */
export const createLiveText = ({ text, citations }: Omit<ReplyText, 'begun'>) => {
  let shown: ReplyText = { text, citations, begun: text.length }
  let arrived = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const show = (next: ReplyText): void => {
    shown = next
    for (const listener of listeners) listener()
  }

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (arrived === '') return
    const text = shown.text + arrived
    arrived = ''
    show({ ...shown, text })
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
      timer ??= setTimeout(flush, batchMs)
    },
    cite: (citation: Citation): void => {
      const others = shown.citations.filter(({ n }) => n !== citation.n)
      show({ ...shown, citations: [...others, citation] })
    },
    flush,
  }
}

export type LiveText = ReturnType<typeof createLiveText>
