import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setUpChannel, signInAsOwner } from '../../server/src/testing/acknowledged-load.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type Figure, percentile } from '../figures.ts'

const brokenRequests = 1000
const slowSenders = 600
const slowSeconds = 10
/** The attacker's address. The user who is measured comes from 127.0.0.1. */
const attacker = '127.0.0.2'

function createHead(path: string, type: string): string {
  const headers = ['Host: localhost', `Content-Type: ${type}`, 'Content-Length: 5000']
  return [`POST ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n')
}

const heads = [
  createHead('/api/nope', 'application/json'),
  createHead('/api/auth/login', 'application/json'),
  createHead('/api/documents', 'multipart/form-data; boundary=x'),
]

async function open(url: URL, head: string): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress: attacker })
  // The server may end the connection at any time.
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  if (!socket.destroyed) socket.write(head)
  return socket
}

/** Sends requests without their whole body and closes the connection. */
async function breakRequests(url: URL): Promise<void> {
  for (let at = 0; at < brokenRequests; at += 1) {
    const socket = await open(url, `${heads[at % heads.length]}{`)
    socket.destroy()
  }
}

/** Sends bodies of which one byte arrives each second. */
async function sendSlowly(url: URL): Promise<void> {
  const sockets: Socket[] = []
  for (let at = 0; at < slowSenders; at += 1) sockets.push(await open(url, heads[at % heads.length] ?? ''))
  for (let second = 0; second < slowSeconds; second += 1) {
    await sleep(1000)
    for (const socket of sockets) if (!socket.destroyed) socket.write(' ')
  }
  for (const socket of sockets) socket.destroy()
}

interface Reads {
  times: number[]
  refused: number
}

/** Reads as a user does until `isOver` is true. Each read has a connection of its own. */
async function readUntil(url: URL, token: string, isOver: () => boolean): Promise<Reads> {
  const reads: Reads = { times: [], refused: 0 }
  const agent = new Agent({ keepAlive: false })
  function readOnce(): Promise<number> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${token}` }
      const sent = request(new URL('/api/channels', url), { agent, headers, timeout: 20_000 }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.once('timeout', () => sent.destroy())
      sent.once('error', () => resolve(0))
      sent.end()
    })
  }
  while (!isOver()) {
    const begun = performance.now()
    const status = await readOnce()
    reads.times.push(performance.now() - begun)
    if (status !== 200) reads.refused += 1
    await sleep(20)
  }
  return reads
}

/** Another address breaks off requests and sends bodies slowly. A user must not notice. */
export async function runBrokenConnections(env: Record<string, string>): Promise<Figure[]> {
  const server = await spawnServer(env)
  try {
    await setUpChannel(server)
    const url = new URL(server.url)
    const { token } = await signInAsOwner(server.url)
    let isOver = false
    const reading = readUntil(url, token, () => isOver)
    await breakRequests(url)
    await sendSlowly(url)
    isOver = true
    const { times, refused } = await reading
    const attack = `${brokenRequests} interrupted requests and ${slowSenders} slow bodies`
    return [
      {
        label: `${attack}: refused reads of a user`,
        value: refused,
        unit: '',
        max: 0,
        note: `of ${times.length}`,
      },
      { label: `${attack}: p99 of these reads`, value: percentile(times, 99), unit: 'ms', max: 1000 },
    ]
  } finally {
    await server.kill()
  }
}
