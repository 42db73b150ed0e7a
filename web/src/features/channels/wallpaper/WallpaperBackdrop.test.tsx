import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { WallpaperBackdrop } from './WallpaperBackdrop.tsx'

let api: FakeApi
beforeEach(() => {
  api = fakeApi().on(channelsApi.wallpaper, () => new Blob(['picture'], { type: 'image/webp' }))
  signIn(aUser(), 'a.b.c')
})

function getBackgroundImages(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[style]')].map(({ style }) => style.backgroundImage)
}
function open(wallpaper: Channel['wallpaper']) {
  return renderPage(<WallpaperBackdrop channel={aChannel({ wallpaper })}>The chat</WallpaperBackdrop>)
}

describe('the wallpaper behind a chat', () => {
  it('is not requested if there is none', () => {
    open(null)
    screen.getByText('The chat')
    expect([api.calls(channelsApi.wallpaper), getBackgroundImages()]).toEqual([[], []])
  })

  it.each<[string, Channel['wallpaper']]>([
    ['a path', '/api/channels/channel-1/wallpaper?v=0123'],
    ['an external URL', 'https://elsewhere.example/x.png'],
    ['a local file', { storageType: 'local' }],
    ['an object in S3', { storageType: 's3', s3Key: 'b/0123' }],
  ])('is fetched with the session token if the channel has %s', async (_, wallpaper) => {
    open(wallpaper)
    await expect.poll(getBackgroundImages).toEqual(['url("blob:test")'])
    const [request, ...others] = api.calls(channelsApi.wallpaper)
    expect([request?.params, request?.headers.get('authorization'), others]).toEqual([
      { id: 'channel-1' },
      'Bearer a.b.c',
      [],
    ])
  })

  it('counts as local if its storage type is missing', () => {
    const { data } = channelsApi.get.reply.safeParse({ ...aChannel(), wallpaper: {} })
    expect(data?.wallpaper).toEqual({ storageType: 'local' })
  })

  it('is omitted if it cannot be fetched, and the failure is only logged', async () => {
    api.on(channelsApi.wallpaper, () => refuse('not_found'))
    open('/one')
    await waitFor(() => expect(takeConsoleOutput('warn').join()).toContain('A query failed'))
    expect([getBackgroundImages(), document.querySelector('li')]).toEqual([[], null])
  })

  it.each([new Blob([], { type: 'image/webp' }), new Blob(['words'], { type: 'text/html' })])(
    'is omitted if the response is not an image',
    async (response) => {
      api.on(channelsApi.wallpaper, () => response)
      const { queryClient } = open('/one')
      await waitFor(() => expect(queryClient.isFetching()).toBe(0))
      expect(api.calls(channelsApi.wallpaper)).toHaveLength(1)
      expect(getBackgroundImages()).toEqual([])
    },
  )

  it('revokes its object URL', async () => {
    const revoke = vi.spyOn(URL, 'revokeObjectURL')
    const { unmount } = open('/one')
    await expect.poll(getBackgroundImages).toEqual(['url("blob:test")'])
    unmount()
    expect(revoke).toHaveBeenCalledWith('blob:test')
  })
})
