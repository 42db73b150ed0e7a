export interface BannerEntry {
  readonly id: number
  readonly tone: 'success' | 'danger'
  readonly text: string
}

let current: BannerEntry | null = null
let hosts: readonly symbol[] = []
let lastId = 0
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function show(tone: BannerEntry['tone'], text: string): void {
  lastId += 1
  current = { id: lastId, tone, text }
  notify()
}

/** Shows the result of an action in the screen's banner. A later result replaces it. */
export const banner = {
  success: (text: string): void => show('success', text),
  error: (text: string): void => show('danger', text),
}

export const bannerStore = {
  read: (): BannerEntry | null => current,
  clear: (): void => {
    current = null
    notify()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Of several mounted banners only the last one shows the result: that of a dialog above the screen. */
  addHost: (host: symbol): (() => void) => {
    hosts = [...hosts, host]
    notify()
    return () => {
      hosts = hosts.filter((other) => other !== host)
      // No banner is mounted: drop the result rather than show it late.
      if (hosts.length === 0) current = null
      notify()
    }
  },
  activeHost: (): symbol | undefined => hosts.at(-1),
}
