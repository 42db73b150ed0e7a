import { once } from 'node:events'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { DeliveryFailed, explainNetworkFailure } from './delivery-failure.ts'
import { guardedLookup, requireAllowedAddress } from './guarded-lookup.ts'

export interface SyslogServer {
  host: string
  port: number
  /** PEM. Empty: the authorities that Node trusts. */
  caCertificate: string
  /** PEM. Empty: none. */
  clientCertificate: string
  clientKey: string
}

const connectTimeout = 10_000
/** For a batch, from the first byte until the server has closed the connection. */
const sendTimeout = 20_000
/** A server that refuses what it got closes the connection within this time. Milliseconds. */
const settleMs = 1_000

function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

function open({ host: written, port, caCertificate, clientCertificate, clientKey }: SyslogServer): TLSSocket {
  const host = bareHost(written)
  requireAllowedAddress(host)
  return connect({
    host,
    port,
    lookup: guardedLookup,
    minVersion: 'TLSv1.2',
    // The name that the certificate must have. Addresses are not sent as server names.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(caCertificate === '' ? {} : { ca: caCertificate }),
    ...(clientCertificate === '' ? {} : { cert: clientCertificate, key: clientKey }),
  })
}

/** Octet counting: the length in bytes, then the message (RFC 5425, section 4.3). */
function frame(message: string): Buffer {
  const bytes = Buffer.from(message)
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}

/** Resolves once the bytes are with the operating system. */
function write(socket: TLSSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Sends the messages and ends the connection. Syslog has no acknowledgement. The nearest to one is that the server
 * closes its side after ours: it has then read everything up to our end. A server that dies with bytes unread resets
 * the connection instead, and one that refuses the client certificate, which it may check after the handshake, closes
 * its side before ours.
 */
async function exchange(socket: TLSSocket, messages: readonly string[], server: string): Promise<void> {
  await once(socket, 'secureConnect', { signal: AbortSignal.timeout(connectTimeout) })
  let isEnding = false
  let isConfirmed = false
  const ended = new AbortController()
  socket.once('end', () => {
    isConfirmed = isEnding
    ended.abort()
  })
  // A server that answers anything is not understood, but its end must be seen.
  socket.resume()
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(sendTimeout) })
  closed.catch(() => ended.abort())
  await Promise.race([write(socket, Buffer.concat(messages.map(frame))), closed])
  await sleep(settleMs, undefined, { signal: ended.signal }).catch(() => undefined)
  isEnding = !ended.signal.aborted
  socket.end()
  await closed
  if (!isConfirmed)
    throw new DeliveryFailed(
      `${server} closed the connection before it had taken everything. It may not accept the client certificate.`,
    )
}

/** Resolves once the server has read all messages. Throws `DeliveryFailed`; some may have arrived then. */
export async function sendSyslog(
  target: SyslogServer,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const server = `${target.host}:${target.port}`
  let socket: TLSSocket | null = null
  function abort(): void {
    socket?.destroy(new DeliveryFailed('Sending was stopped.'))
  }
  try {
    socket = open(target)
    // Errors also reject the waits below. One may come when nothing waits any more.
    socket.on('error', () => undefined)
    signal.addEventListener('abort', abort)
    signal.throwIfAborted()
    await exchange(socket, messages, server)
  } catch (error) {
    if ((error as Error).name === 'AbortError')
      throw new DeliveryFailed(
        socket?.authorized
          ? `${server} accepted the connection, but did not take everything in time.`
          : `${server} did not answer in time.`,
        { cause: error },
      )
    throw explainNetworkFailure(error, server)
  } finally {
    signal.removeEventListener('abort', abort)
    socket?.destroy()
  }
}
