import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { describe, expect, it, vi } from 'vitest'
import { NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ApiError, messageOf } from './api-error.ts'
import { call } from './call.ts'
import { upload } from './upload.ts'

function readSentRequest() {
  return vi.mocked(fetch).mock.calls[0]
}

function stubResponse(response: Response): void {
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(response)),
  )
}

describe('call', () => {
  it('adds the query, omits undefined values, and sends the token and the ngrok header', async () => {
    signIn(aUser(), 'a.b.c')
    stubResponse(Response.json([]))
    await call(documentsApi.list, { query: { status: 'pending', channelId: undefined, limit: 20 } })
    const [url, init] = readSentRequest() ?? []
    expect(url).toBe('/api/documents?status=pending&limit=20')
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer a.b.c')
    expect(new Headers(init?.headers).get('ngrok-skip-browser-warning')).toBe('true')
  })

  it('escapes path parameters', async () => {
    stubResponse(new Response(new Blob(['x'])))
    await call(documentsApi.download, { params: { id: '../users?' } })
    expect(readSentRequest()?.[0]).toBe('/api/documents/..%2Fusers%3F/download')
  })

  it('sends an empty body without a content type, and no token when there is none', async () => {
    stubResponse(new Response(null, { status: 204 }))
    await call(authApi.logout, {})
    const headers = new Headers(readSentRequest()?.[1]?.headers)
    expect([headers.get('content-type'), headers.get('authorization'), readSentRequest()?.[1]?.body]).toEqual(
      [null, null, null],
    )
  })

  it('unwraps `data` in replies and errors', async () => {
    stubResponse(Response.json({ data: { message: 'Done' } }))
    const input = { params: { id: '1' }, body: { userId: '2' } }
    expect(await call(channelsApi.grant, input)).toEqual({ message: 'Done' })
    stubResponse(Response.json({ data: { code: 'not_found', message: 'Gone' } }, { status: 404 }))
    await expect(call(channelsApi.grant, input)).rejects.toMatchObject({ code: 'not_found', message: 'Gone' })
  })

  it('returns files as blobs with their type', async () => {
    const api = fakeApi()
    api.on(channelsApi.wallpaper, () => new Blob(['picture'], { type: 'image/png' }))
    const blob = await call(channelsApi.wallpaper, { params: { id: '1' } })
    expect([blob.type, blob.size]).toEqual(['image/png', 7])
  })

  it('throws an error with the code, message and fields of the response', async () => {
    const api = fakeApi()
    api.on(authApi.register, () => refuse('validation.failed', { fullName: 'Full name is required' }))
    const body = { email: 'a@example.com', fullName: 'Ada', password: 'long enough', token: 't' }
    await expect(call(authApi.register, { body })).rejects.toMatchObject({
      status: 400,
      code: 'validation.failed',
      message: 'Please check what you entered.',
      fields: { fullName: 'Full name is required' },
    })
  })

  it('throws an error with an empty message when the server sends none', async () => {
    const api = fakeApi()
    api.on(channelsApi.list, () => refuse('internal'))
    const error: unknown = await call(channelsApi.list, {}).catch((cause: unknown) => cause)
    expect(messageOf(error, 'Failed')).toBe('Failed')
    stubResponse(new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({
      status: 502,
      code: 'unknown',
      message: '',
    })
  })

  it('distinguishes a network failure from an unreadable response', async () => {
    const api = fakeApi()
    api.on(channelsApi.list, () => {
      throw new NoNetwork()
    })
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({ code: 'network' })
    stubResponse(Response.json({ channels: 'none' }))
    await expect(call(channelsApi.list, {})).rejects.toMatchObject({ status: 200, code: 'reply' })
  })

  it('can be cancelled', async () => {
    const api = fakeApi()
    api.on(channelsApi.list, () => new Promise<never>(() => undefined))
    const controller = new AbortController()
    const pending = call(channelsApi.list, {}, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('upload', () => {
  const file = new File(['picture'], 'wall.png', { type: 'image/png' })

  it('sends the file with its fields and reports progress', async () => {
    const api = fakeApi()
    api.on(channelsApi.setWallpaper, () => ({ wallpaper: '/w', message: 'Set' }))
    const onProgress = vi.fn()
    const input = { params: { id: '7' }, file, fields: {} }
    expect(await upload(channelsApi.setWallpaper, input, { onProgress })).toMatchObject({ wallpaper: '/w' })
    const [request] = api.calls(channelsApi.setWallpaper)
    expect(request?.params).toEqual({ id: '7' })
    expect(request?.file?.name).toBe('wall.png')
    expect(onProgress.mock.calls).toEqual([[0.5], [1]])
  })

  it('throws the same errors as call', async () => {
    const api = fakeApi()
    api.on(channelsApi.setWallpaper, () => refuse('image.too_large'))
    const input = { params: { id: '7' }, file, fields: {} }
    await expect(upload(channelsApi.setWallpaper, input)).rejects.toBeInstanceOf(ApiError)
    await expect(upload(channelsApi.setWallpaper, input)).rejects.toMatchObject({ status: 413 })
  })

  it('can be cancelled', async () => {
    const api = fakeApi()
    api.on(channelsApi.setWallpaper, () => new Promise<never>(() => undefined))
    const controller = new AbortController()
    const input = { params: { id: '7' }, file, fields: {} }
    const pending = upload(channelsApi.setWallpaper, input, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ code: 'aborted' })
  })
})
