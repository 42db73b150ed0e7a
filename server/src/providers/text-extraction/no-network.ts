import { Socket } from 'node:net'

function refuse(): never {
  throw new Error('this process has no network')
}

/** Disables connections. Node's permission model covers files, processes and threads, but not yet the network. */
export function disableNetwork(): void {
  Socket.prototype.connect = refuse
}
