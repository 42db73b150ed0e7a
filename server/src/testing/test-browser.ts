/** What a browser keeps between two requests: its cookies and its name. */
export interface TestBrowser {
  readonly cookies: ReadonlyMap<string, string>
  headers(): Record<string, string>
  take(setCookie: string | string[] | undefined): void
}

/** A browser nobody has used yet. */
export function openTestBrowser(userAgent = 'test'): TestBrowser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    headers: () => ({
      'user-agent': userAgent,
      ...(cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    }),
    take(setCookie) {
      for (const line of [setCookie ?? []].flat()) {
        const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
        if (/max-age=0(;|$)/i.test(rest)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}
