import { Socket } from 'node:net'

function refuse(): never {
  throw new Error('this process has no network')
}

/** Node can forbid a process files, programs and threads, but not yet connections: every one begins with this call. */
export function closeNetwork(): void {
  Socket.prototype.connect = refuse
}
