import { vi } from 'vitest'
import { FakeApi, NoNetwork } from './fake-api.ts'

function createAbortError() {
  return new DOMException('Aborted', 'AbortError')
}

function fakeFetch(api: FakeApi): typeof fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? null
    if (signal?.aborted) throw createAbortError()
    const response = api.handle({
      method: init.method ?? 'GET',
      url: String(input),
      headers: new Headers(init.headers),
      body: init.body ?? null,
      signal,
    })
    const abandoned = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(createAbortError()), { once: true })
    })
    return Promise.race([response, abandoned]).catch((cause: unknown) => {
      throw cause instanceof NoNetwork ? new TypeError('fetch failed') : cause
    })
  }
}

/** The part of XMLHttpRequest that uploads use. */
function fakeXhr(api: FakeApi) {
  return class {
    status = 0
    responseText = ''
    readonly upload: { onprogress?: (event: object) => void } = {}
    onload?: () => void
    onerror?: () => void
    onabort?: () => void
    onloadend?: () => void
    #method = 'GET'
    #url = ''
    #headers = new Headers()
    #isFinished = false

    open(method: string, url: string): void {
      this.#method = method
      this.#url = url
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }

    #finish(notify: (() => void) | undefined): void {
      if (this.#isFinished) return
      this.#isFinished = true
      notify?.()
      this.onloadend?.()
    }

    abort(): void {
      this.#finish(this.onabort)
    }

    send(body: FormData): void {
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 })
      const request = { method: this.#method, url: this.#url, headers: this.#headers, body, signal: null }
      void api
        .handle(request)
        .then(async (response) => {
          this.status = response.status
          this.responseText = await response.text()
          this.upload.onprogress?.({ lengthComputable: true, loaded: 2, total: 2 })
          this.#finish(this.onload)
        })
        .catch(() => this.#finish(this.onerror))
    }
  }
}

/** Replaces the network with a fake server for one test; vitest restores it afterwards. */
export function fakeApi(): FakeApi {
  const api = new FakeApi()
  vi.stubGlobal('fetch', fakeFetch(api))
  vi.stubGlobal('XMLHttpRequest', fakeXhr(api))
  return api
}
