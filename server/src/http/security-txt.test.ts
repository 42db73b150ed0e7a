import { afterEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
afterEach(() => app.close())

async function read(env: Record<string, string>) {
  app = await buildTestApp({ env })
  return app.raw({ method: 'GET', path: '/.well-known/security.txt' })
}

describe('GET /.well-known/security.txt', () => {
  it('returns 404 unless a contact is set', async () => {
    const response = await read({})
    expect([response.status, response.body.code]).toEqual([404, 'not_found'])
  })

  it('names the contact, an expiry date within a year, and its own address', async () => {
    const response = await read({
      SECURITY_CONTACT: 'mailto:security@example.org',
      PUBLIC_URL: 'https://chat.example.org',
    })
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    const lines = response.bytes.toString().split('\n')
    const expires = new Date(app.deps.now() + 180 * 24 * 3_600_000).toISOString().slice(0, 10)
    expect(lines).toEqual([
      'Contact: mailto:security@example.org',
      expect.stringMatching(new RegExp(`^Expires: ${expires}T12:[0-9:.]+Z$`)),
      'Canonical: https://chat.example.org/.well-known/security.txt',
      '',
    ])
  })
})
