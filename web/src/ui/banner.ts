import { createStore } from '#lib/store.ts'

interface BannerEntry {
  readonly id: number
  readonly tone: 'success' | 'danger'
  readonly text: string
}

interface BannerState {
  readonly entry: BannerEntry | null
  /** The mounted banners, in the order in which they were mounted. */
  readonly hosts: readonly symbol[]
}

const store = createStore<BannerState>({ entry: null, hosts: [] })
let lastId = 0

function show(tone: BannerEntry['tone'], text: string): void {
  lastId += 1
  store.set({ ...store.get(), entry: { id: lastId, tone, text } })
}

/** Shows the result of an action in the screen's banner. A later result replaces it. */
export const banner = {
  success: (text: string): void => show('success', text),
  error: (text: string): void => show('danger', text),
}

export const bannerStore = {
  ...store,
  clear: (): void => store.set({ ...store.get(), entry: null }),
  /** Only the last mounted banner shows the result: the one in a dialog, if a dialog is open. */
  addHost: (host: symbol): (() => void) => {
    const { entry, hosts } = store.get()
    store.set({ entry, hosts: [...hosts, host] })
    return () => {
      const current = store.get()
      const others = current.hosts.filter((other) => other !== host)
      // No banner is mounted: drop the result rather than show it late.
      store.set({ entry: others.length === 0 ? null : current.entry, hosts: others })
    }
  },
}
