export interface NoticeEntry {
  readonly id: number
  readonly tone: 'success' | 'danger'
  readonly text: string
}

let current: NoticeEntry | null = null
let hosts: readonly symbol[] = []
let lastId = 0
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

function show(tone: NoticeEntry['tone'], text: string): void {
  lastId += 1
  current = { id: lastId, tone, text }
  tell()
}

/** What became of a deed, said in the banner of its screen. A later one takes its place. */
export const notice = {
  success: (text: string): void => show('success', text),
  error: (text: string): void => show('danger', text),
}

export const notices = {
  read: (): NoticeEntry | null => current,
  clear: (): void => {
    current = null
    tell()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Of several banners only the one that came last speaks: that of a window over the screen. */
  enter: (host: symbol): (() => void) => {
    hosts = [...hosts, host]
    tell()
    return () => {
      hosts = hosts.filter((other) => other !== host)
      // Nobody is left who would say it, and later it would be old news.
      if (hosts.length === 0) current = null
      tell()
    }
  },
  speaker: (): symbol | undefined => hosts.at(-1),
}
