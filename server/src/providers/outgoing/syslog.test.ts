import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#testing/spawn-server.ts'
import { createAuthority, type TestAuthority } from '#testing/test-certificates.ts'
import { startTestRsyslog, type TestRsyslog } from '#testing/test-rsyslog.ts'
import { type SyslogServer, sendSyslog } from './syslog.ts'

let authority: TestAuthority
const closers: (() => Promise<unknown>)[] = []
beforeAll(() => {
  authority = createAuthority()
})
afterAll(() => authority.close())
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const never = new AbortController().signal

async function openRsyslog(options?: Parameters<typeof startTestRsyslog>[1]): Promise<TestRsyslog> {
  const rsyslog = await startTestRsyslog(authority, options)
  closers.push(rsyslog.close)
  return rsyslog
}

function target(port: number, changes: Partial<SyslogServer> = {}): SyslogServer {
  return {
    host: 'localhost',
    port,
    caCertificate: authority.ca,
    clientCertificate: '',
    clientKey: '',
    ...changes,
  }
}

function message(number: number, text = `Entry ${number}`): string {
  return `<110>1 2026-11-18T12:00:00.000Z lyceum.example.org lyceum - document.approved [lyceum@32473 seq="${number}"] ${text}`
}

/** Listens with a server that tests write for a fault. Connections are destroyed when the test ends. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return port
}

describe('sendSyslog refuses', () => {
  it('a server whose certificate no known authority has issued', async () => {
    const { port, listMessages } = await openRsyslog()
    await expect(sendSyslog(target(port, { caCertificate: '' }), [message(1)], never)).rejects.toThrow(
      /The certificate of localhost:\d+ is not trusted/,
    )
    expect(listMessages()).toEqual([])
  })

  it('a server whose certificate is for another name', async () => {
    const { cert, key } = authority.issue('DNS:other.example.org')
    const port = await listen(createTlsServer({ cert, key }))
    await expect(sendSyslog(target(port), [message(1)], never)).rejects.toThrow(
      /The certificate of localhost:\d+ is for another name/,
    )
  })

  it('a server that does not speak TLS', async () => {
    const port = await listen(createTcpServer((socket) => socket.end('hello\r\n')))
    await expect(sendSyslog(target(port), [message(1)], never)).rejects.toThrow(/does not speak TLS/)
  })

  it('a port at which nothing listens', async () => {
    await expect(sendSyslog(target(await findFreePort()), [message(1)], never)).rejects.toThrow(
      /Nothing accepts connections/,
    )
  })

  it('a host name without an address', async () => {
    await expect(
      sendSyslog(target(6514, { host: 'no-such-host.invalid' }), [message(1)], never),
    ).rejects.toThrow(/was not found/)
  })

  it('the addresses at which clouds serve credentials', async () => {
    await expect(sendSyslog(target(6514, { host: '169.254.169.254' }), [message(1)], never)).rejects.toThrow(
      'link-local',
    )
  })
})

describe('sendSyslog to rsyslog', () => {
  it('delivers what rsyslog reads as RFC 5424, of any length and script', async () => {
    const { port, listMessages } = await openRsyslog()
    const long = 'Zoë 文書 🗝 '.repeat(2000)
    await sendSyslog(target(port), [message(1), message(2, long), message(3)], never)
    await expect.poll(() => listMessages().length).toBe(3)
    expect(listMessages().map(({ structuredData }) => structuredData)).toEqual([
      '[lyceum@32473 seq="1"]',
      '[lyceum@32473 seq="2"]',
      '[lyceum@32473 seq="3"]',
    ])
    expect(listMessages()[1]).toMatchObject({ appName: 'lyceum', messageId: 'document.approved' })
    expect(listMessages()[1]?.message.trim()).toBe(long.trim())
  })

  it('says that the server asks for a client certificate, and sends one', async () => {
    const { port, listMessages } = await openRsyslog({ requiresClientCertificate: true })
    await expect(sendSyslog(target(port), [message(1)], never)).rejects.toThrow(
      /client certificate|closed the connection/,
    )
    expect(listMessages()).toEqual([])
    const { cert, key } = authority.issue('DNS:lyceum.example.org')
    await sendSyslog(target(port, { clientCertificate: cert, clientKey: key }), [message(2)], never)
    await expect.poll(() => listMessages().length).toBe(1)
  })
})

describe('sendSyslog to a server that misbehaves', () => {
  it('fails if the server closes the connection without reading', async () => {
    const { cert, key } = authority.issue('DNS:localhost')
    const port = await listen(
      createTlsServer({ cert, key }, (socket) => {
        socket.pause()
        socket.destroy()
      }),
    )
    const large = message(1, 'x'.repeat(8_000_000))
    await expect(sendSyslog(target(port), [large], never)).rejects.toThrow(/closed the connection/)
  })

  it('stops waiting for a server that accepts and never reads, when the caller stops', async () => {
    const { cert, key } = authority.issue('DNS:localhost')
    const stop = new AbortController()
    const port = await listen(
      createTlsServer({ cert, key }, (socket) => {
        socket.pause()
        stop.abort()
      }),
    )
    await expect(sendSyslog(target(port), [message(1, 'x'.repeat(8_000_000))], stop.signal)).rejects.toThrow(
      'stopped',
    )
  })
})
