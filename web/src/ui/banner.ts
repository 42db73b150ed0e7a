import { createStore } from '#lib/store.ts'
import { unseenMs } from './toast.ts'

/** Offered with a result, such as to undo it. */
export interface BannerAction {
  readonly label: string
  readonly run: () => void
  /** Receives the focus when the banner is closed while it has the focus. */
  readonly returnFocus: () => HTMLElement | null
}

interface BannerEntry {
  readonly id: number
  readonly tone: 'success' | 'danger'
  readonly text: string
  /** What is wrong although the action succeeded. */
  readonly warning?: string | undefined
  /** For screen readers only, because the page shows the result. */
  readonly isHidden: boolean
  readonly action?: BannerAction | undefined
}

interface BannerState {
  readonly entry: BannerEntry | null
  /** The mounted banners, in the order in which they were mounted. */
  readonly hosts: readonly symbol[]
  /** When the result was reported or the last banner unmounted, whichever is later. */
  readonly offeredAt: number
}

const store = createStore<BannerState>({ entry: null, hosts: [], offeredAt: 0 })
let lastId = 0

/** With an action, such as to undo the result, or with a warning to read. */
export const actionLifetimeMs = 10_000

function show(entry: Omit<BannerEntry, 'id' | 'isHidden'>, isHidden = false): void {
  lastId += 1
  store.set({ ...store.get(), entry: { ...entry, id: lastId, isHidden }, offeredAt: Date.now() })
}

/** Shows the result of an action in the screen's banner. A later result replaces it. */
export const banner = {
  success: (
    text: string,
    { action, warning }: { action?: BannerAction | undefined; warning?: string | undefined } = {},
  ): void => show({ tone: 'success', text, action, warning }),
  error: (text: string): void => show({ tone: 'danger', text }),
  /** Announces a result that the page shows where it happened. */
  announce: (text: string): void => show({ tone: 'success', text }, true),
}

export const bannerActionId = 'banner-action'

/** The button in the banner, so that keyboard users need not search for it while it is offered. */
export function findBannerAction(): HTMLElement | null {
  return document.getElementById(bannerActionId)
}

/** Whether a dialog is above the page. */
export function isPageCovered({ hosts }: BannerState): boolean {
  return hosts.length > 1
}

export const bannerStore = {
  ...store,
  clear: (): void => store.set({ ...store.get(), entry: null }),
  /**
   * Only the last mounted banner shows the result: the one in a dialog, if a dialog is open. A dialog that opens ends a
   * success that has been seen, and shows what may still be needed: a failure, a warning, an action.
   */
  addHost: (host: symbol, isInDialog: boolean): (() => void) => {
    const { entry, hosts, offeredAt } = store.get()
    const age = Date.now() - offeredAt
    const isTooLate = hosts.length === 0 && age >= actionLifetimeMs
    const isPlain = entry?.tone === 'success' && entry.action === undefined && entry.warning === undefined
    const isOver = isInDialog && isPlain && age > unseenMs
    store.set({ entry: isTooLate || isOver ? null : entry, hosts: [...hosts, host], offeredAt })
    return () => {
      const current = store.get()
      const others = current.hosts.filter((other) => other !== host)
      // No banner is mounted: drop the result rather than show it again. The next screen shows what nobody has seen yet,
      // such as that the subject of this page was deleted, and offers an action.
      const isSeen = Date.now() - current.offeredAt > unseenMs
      const isDropped = others.length === 0 && current.entry?.action === undefined && isSeen
      store.set({
        entry: isDropped ? null : current.entry,
        hosts: others,
        offeredAt: others.length === 0 ? Date.now() : current.offeredAt,
      })
    }
  },
}
