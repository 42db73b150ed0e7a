import { createStore } from './store.ts'

const isReachable = createStore(true)

/** Whether the server answered the last request. `navigator.onLine` alone says nothing about the server. */
export const connection = { isReachable, setReachable: isReachable.set }
