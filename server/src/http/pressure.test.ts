import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Pressure, watchPressure } from './pressure.ts'

let server: Server
let sockets: Socket[]
let pressure: Pressure
beforeEach(async () => {
  sockets = []
  server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  pressure = watchPressure(server)
})
afterEach(async () => {
  pressure.close()
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
})

const turnMs = 5

/** Blocks the event loop. */
function work(ms: number): void {
  for (const begun = performance.now(); performance.now() - begun < ms; );
}

/** Keeps the event loop busy, turn after turn, until the condition holds. */
async function workUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    work(turnMs)
    await new Promise(setImmediate)
  }
}

describe('watchPressure', () => {
  it('reports no wait while every connection is accepted, however busy the process is', async () => {
    const begun = performance.now()
    await workUntil(() => performance.now() - begun > 500)
    expect(pressure.waitMs()).toBeLessThan(500)
  })

  it('reports how long connections have waited to be accepted', async () => {
    const { port } = server.address() as AddressInfo
    const clients = 100
    for (let client = 0; client < clients; client += 1) sockets.push(connect(port, '127.0.0.1'))
    // Node accepts one in each turn, so the last one waits for as many turns as there are clients.
    let longest = 0
    await workUntil(() => {
      longest = Math.max(longest, pressure.waitMs())
      return sockets.length === 2 * clients
    })
    expect(longest).toBeGreaterThan((clients * turnMs) / 2)
    await expect.poll(() => pressure.waitMs()).toBeLessThan(longest)
  })

  it('reports no wait for few connections, even after a long turn', async () => {
    const { port } = server.address() as AddressInfo
    const clients = 10
    for (let client = 0; client < clients; client += 1) sockets.push(connect(port, '127.0.0.1'))
    let longest = 0
    await workUntil(() => {
      work(50)
      longest = Math.max(longest, pressure.waitMs())
      return sockets.length === 2 * clients
    })
    expect(longest).toBe(0)
  })

  it('tells whether a turn accepted a connection', async () => {
    const { port } = server.address() as AddressInfo
    const clients = 10
    for (let client = 0; client < clients; client += 1) sockets.push(connect(port, '127.0.0.1'))
    await workUntil(() => sockets.length > clients)
    while (await pressure.nextTurn());
    expect(sockets).toHaveLength(2 * clients)
    expect(await pressure.nextTurn()).toBe(false)
  })

  it('reports how long a request has waited behind others of the same turn', async () => {
    pressure.waitMs()
    work(200)
    expect(pressure.waitMs()).toBeGreaterThanOrEqual(200)
    await expect.poll(() => pressure.waitMs()).toBeLessThan(200)
  })
})
