/** Holds the cookies and user agent of a browser between requests. */
export interface TestBrowser {
  readonly cookies: ReadonlyMap<string, string>
  headers(): Record<string, string>
  storeCookies(setCookie: string | string[] | undefined): void
}

/** Creates a browser without cookies. */
export function createTestBrowser(userAgent = 'test'): TestBrowser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    headers: () => ({
      'user-agent': userAgent,
      ...(cookies.size === 0
        ? {}
        : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    }),
    storeCookies(setCookie) {
      for (const line of [setCookie ?? []].flat()) {
        const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
        if (/max-age=0(;|$)/i.test(rest)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}
