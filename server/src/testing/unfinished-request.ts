import { once } from 'node:events'
import { connect } from 'node:net'

export interface UnfinishedRequest {
  /** Sends the rest of the request and returns the whole response, or nothing if the connection was closed. */
  finish(): Promise<string>
}

/** Sends a sign-in without the end of its body, and resolves once the server is waiting for that. */
export async function beginRequest(url: string): Promise<UnfinishedRequest> {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'a wrong password' })
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // Writing to a closed connection fails.
  socket.on('error', () => undefined)
  const head = [
    'POST /api/auth/login HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    // The server answers this as soon as it has read the head.
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.write(body.slice(0, 1))
  return {
    async finish() {
      socket.write(body.slice(1))
      await closed
      return received.replace('HTTP/1.1 100 Continue\r\n\r\n', '')
    },
  }
}
