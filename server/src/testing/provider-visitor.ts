import { createTestBrowser, type TestBrowser } from './test-browser.ts'

/** A visitor's browser at a provider, which fills in the provider's own pages. */
export interface ProviderVisitor {
  /** Signs in at the address, and returns where the provider sends the browser in the end. */
  signIn(url: string, login: string): Promise<URL>
  /** Signs out at the provider. */
  signOut(issuer: string): Promise<void>
}

async function visit(browser: TestBrowser, url: URL, form?: Record<string, string>): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: browser.headers(),
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  })
  browser.storeCookies(response.headers.getSetCookie())
  return response
}

function readField(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]
  if (value === undefined) throw new Error(`the page has no field ${name}: ${html.slice(0, 500)}`)
  return value
}

function readAction(html: string): string {
  const action = /action="([^"]*)"/.exec(html)?.[1]
  if (action === undefined) throw new Error(`the page has no form: ${html.slice(0, 500)}`)
  return action
}

export function createProviderVisitor(): ProviderVisitor {
  const browser = createTestBrowser()
  return {
    async signIn(start, login) {
      const origin = new URL(start).origin
      let url = new URL(start)
      let form: Record<string, string> | undefined
      for (let step = 0; step < 20; step += 1) {
        const response = await visit(browser, url, form)
        form = undefined
        const location = response.headers.get('location')
        if (location !== null) {
          url = new URL(location, url)
          if (url.origin !== origin) return url
          continue
        }
        const html = await response.text()
        const prompt = readField(html, 'prompt')
        url = new URL(readAction(html), url)
        form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt }
      }
      throw new Error('the provider did not send the browser back')
    },
    async signOut(issuer) {
      const page = await (await visit(browser, new URL('/session/end', issuer))).text()
      const form = { xsrf: readField(page, 'xsrf'), logout: 'yes' }
      await visit(browser, new URL(readAction(page), issuer), form)
    },
  }
}
