import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** One more than the server accepts at a time. */
const tooManyRequests = 201

function createRequestHeader(method: string, path: string, headers: readonly string[] = []): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
}

const incompleteRequest = `${createRequestHeader('POST', '/api/nope', ['Content-Type: application/json', 'Content-Length: 60'])}{`

/** Sends the text over a new connection and closes it without waiting for a response. */
async function sendAndClose(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(text, resolve))
  socket.destroy()
}

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

async function breakConnections(text: string): Promise<void> {
  const url = await app.url()
  for (let i = 0; i < tooManyRequests; i += 1) await sendAndClose(url, text)
  await expect.poll(countConnections).toBe(0)
}

describe('a request whose connection closes before the response', () => {
  it('frees its slot when its body never arrives completely', async () => {
    await breakConnections(incompleteRequest)
    const response = await fetch(`${await app.url()}/api/nope`)
    expect(response.status).toBe(404)
  })

  it('frees its slot when it waits behind another request on the same connection', async () => {
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'a wrong password' })
    const length = `Content-Length: ${body.length}`
    const slow = `${createRequestHeader('POST', '/api/auth/login', ['Content-Type: application/json', length])}${body}`
    await breakConnections(`${slow}${incompleteRequest}`)
    const response = await fetch(`${await app.url()}/api/nope`)
    expect(response.status).toBe(404)
  })
})
