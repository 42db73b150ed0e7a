import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createRequestHead, openConnection } from '#testing/raw-connection.ts'
import { createLimitedServer } from './connections.ts'

const attacker = '127.0.0.2'
const other = '127.0.0.3'

let server: Server
let clients: Socket[] = []
let handled: number
afterEach(() => {
  for (const client of clients) client.destroy()
  clients = []
  server.close()
})

async function listen(options: { maxConnections?: number }, respond = true): Promise<number> {
  handled = 0
  server = createLimitedServer((_request, response) => {
    handled += 1
    if (respond) response.end('ok')
  }, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function open(port: number, localAddress: string): Promise<Socket> {
  const client = connect({ port, host: '127.0.0.1', localAddress })
  clients.push(client)
  client.on('error', () => undefined)
  await once(client, 'connect')
  return client
}

/** Resolves to the status of the response; rejects if the server closes the connection. */
async function getStatus(client: Socket): Promise<number> {
  client.write(createRequestHead('GET', '/'))
  return new Promise((resolve, reject) => {
    function closed(): void {
      reject(new Error('the server closed the connection'))
    }
    client.once('close', closed)
    client.once('data', (data) => {
      client.off('close', closed)
      resolve(Number(data.toString().slice(9, 12)))
    })
  })
}

describe('when all connections are taken', () => {
  it('a client from another network takes the oldest one of the network that has the most', async () => {
    const port = await listen({ maxConnections: 4 })
    const crowd = []
    for (let at = 0; at < 4; at += 1) crowd.push(await open(port, attacker))
    const [oldest, ...younger] = crowd
    const closed = once(oldest as Socket, 'close')
    expect(await getStatus(await open(port, other))).toBe(200)
    await closed
    for (const client of younger) expect(await getStatus(client)).toBe(200)
  })

  it('the network that has the most gets no more', async () => {
    const port = await listen({ maxConnections: 4 })
    const client = await open(port, other)
    for (let at = 0; at < 3; at += 1) await open(port, attacker)
    await once(await open(port, attacker), 'close')
    expect(await getStatus(client)).toBe(200)
    clients[1]?.destroy()
    await expect.poll(async () => getStatus(await open(port, attacker)).catch(() => null)).toBe(200)
  })
})

describe('requests on one connection', () => {
  it('are not handled once too many of them wait for their responses', async () => {
    const port = await listen({}, false)
    const connection = await openConnection(`http://127.0.0.1:${port}`)
    connection.send(createRequestHead('GET', '/').repeat(1000))
    await connection.whenClosed()
    expect(handled).toBe(16)
  })

  it('are not limited when each waits for the response before', async () => {
    const port = await listen({})
    const client = await open(port, other)
    for (let request = 0; request < 40; request += 1) expect(await getStatus(client)).toBe(200)
  })
})
