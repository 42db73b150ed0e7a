import { expect } from '@playwright/test'
import { test } from './installation.ts'

const pages = [
  ['/login', 'login'],
  ['/invite/some-token', 'register'],
  ['/dashboard', 'dashboard'],
  ['/channels/some-channel?chat=some-chat', 'channel'],
  ['/admin', 'home'],
  ['/admin/users', 'users'],
  ['/admin/users/some-user', 'user'],
  ['/admin/settings', 'settings'],
] as const

test('the document of a page names all of its scripts, each after those that it imports', async ({
  request,
  installation,
}) => {
  const code = new Map<string, string>()
  async function readScript(path: string): Promise<string> {
    const known = code.get(path) ?? (await (await request.get(installation.url + path)).text())
    code.set(path, known)
    return known
  }
  for (const [path, page] of pages) {
    const document = await (await request.get(installation.url + path)).text()
    const scripts = [...document.matchAll(/<script type="module"[^>]* src="([^"]+)"/g)].map(
      ([, script = '']) => script,
    )
    expect(scripts.some((script) => script.startsWith(`/assets/${page}-`))).toBe(true)
    const named = new Set<string>()
    for (const script of scripts) {
      const imports = [...(await readScript(script)).matchAll(/(?:from|import) ?"\.\/([^"]+)"/g)]
      expect([...named]).toEqual(expect.arrayContaining(imports.map(([, file]) => `/assets/${file}`)))
      named.add(script)
    }
  }
})
