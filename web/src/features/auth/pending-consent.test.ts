import { expect, it } from 'vitest'
import { storePendingConsent, takePendingConsent } from './pending-consent.ts'

it.each([
  'https://evil.example/connect?client_id=one',
  '//evil.example/connect?client_id=one',
  '/\\evil.example/connect?',
  '/admin/users?x',
  '/connected?x',
  '/embed/one/../../admin/sign-in?site=x',
  '/embed/one?site=https%3A%2F%2Fwww.example.com',
  '/embed/one/sign-in',
])('does not lead to %s', (address) => {
  storePendingConsent(address)
  expect(takePendingConsent()).toBeNull()
})

it.each(['/connect?client_id=one', '/embed/01a-b/sign-in?site=https%3A%2F%2Fwww.example.com'])(
  'leads to %s once',
  (address) => {
    storePendingConsent(address)
    expect(takePendingConsent()).toBe(address)
    expect(takePendingConsent()).toBeNull()
  },
)
