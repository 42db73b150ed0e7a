import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection over which a test sends requests byte by byte, including ones that no HTTP library would send. */
export interface RawConnection {
  readonly socket: Socket
  /** Everything received so far. */
  received(): string
  send(text: string): void
  /** Resolves with everything received once the server has closed the connection. */
  whenClosed(): Promise<string>
  close(): void
}

export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  // The server may reset the connection, which also closes it.
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  return {
    socket,
    received: () => received,
    send: (text) => void socket.write(text),
    whenClosed: () => closed.then(() => received),
    close: () => void socket.destroy(),
  }
}

/** The head of a request, with the headers that its body needs. */
export function createRequestHead(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}
