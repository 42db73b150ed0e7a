import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => history.replaceState(null, '', '/'))

async function findPrefix(path: string): Promise<string> {
  history.replaceState(null, '', path)
  vi.resetModules()
  return (await import('./storage-prefix.ts')).storagePrefix
}

it.each([
  '/',
  '/channels/one',
  '/embed/one/sign-in?site=https%3A%2F%2Fwww.example.com',
  '/embedded-chat.html',
])('is the one of the application at %s', async (path) => {
  expect(await findPrefix(path)).toBe('lyceum')
})

it('differs in the chat on other sites, for each channel', async () => {
  expect(await findPrefix('/embed/one?site=https%3A%2F%2Fwww.example.com')).toBe('lyceum.embed.one')
  expect(await findPrefix('/embed/two/')).toBe('lyceum.embed.two')
})
