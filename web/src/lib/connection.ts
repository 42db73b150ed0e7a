import { createStore } from './store.ts'

/** 'offline': the browser reports no network either. 'unreachable': only the server does not answer. */
export type ConnectionState = 'up' | 'offline' | 'unreachable'

const isReachable = createStore(true)
const state = createStore<ConnectionState>('up')

export const connection = {
  /**
   * Whether the server answered the last request. `navigator.onLine` alone says nothing about the server: it may run on
   * this machine or behind a VPN.
   */
  isReachable,
  /** What the user is told. One failed request is shown where it was made, so a loss has to be confirmed. */
  state,
  setReachable: (isAnswering: boolean): void => {
    isReachable.set(isAnswering)
    if (isAnswering) state.set('up')
  },
  /** Called when a second request has failed. */
  confirmLoss: (): void => {
    if (!isReachable.get()) state.set(navigator.onLine ? 'unreachable' : 'offline')
  },
}
