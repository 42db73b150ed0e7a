import { assistantsApi } from '@lyceum/contract/assistants'
import { channelsApi } from '@lyceum/contract/channels'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus, anExtractiveStatus } from '#testing/assistant-samples.ts'
import type { FakeApi } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aPage } from '#testing/samples.ts'
import { signInAdminWithout } from '#testing/users.ts'
import { ChannelAdminList } from './ChannelAdminList.tsx'

let api: FakeApi
beforeEach(() => {
  api = fakeApi().on(assistantsApi.status, () => anAssistantStatus())
  signInAdminWithout(api)
})

function open(...names: string[]) {
  api.on(channelsApi.list, () => aPage(names.map((name) => aChannel({ _id: name, name }))))
  return renderPage(<ChannelAdminList>{({ name }) => <p>{name}</p>}</ChannelAdminList>)
}

describe('the banner about a missing model', () => {
  beforeEach(() => {
    api.on(assistantsApi.status, () => anExtractiveStatus())
  })

  it('appears once and links to the settings', async () => {
    open('Law', 'Physics')
    const link = await screen.findByRole('link', { name: 'Connect a model' })
    expect(link.getAttribute('href')).toBe('/admin/settings?section=connections#model')
    expect(screen.getAllByText('No model is connected.')).toHaveLength(1)
  })

  it('names who can connect a model to users without canManageSettings', async () => {
    signInAdminWithout(api, 'canManageSettings')
    open('Law')
    await screen.findByText(/An administrator who manages the settings can connect a model\./)
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('is missing with a model and without channels', async () => {
    open()
    await screen.findByText('There are no channels yet.')
    expect(screen.queryByText('No model is connected.')).toBeNull()
    api.on(assistantsApi.status, () => anAssistantStatus())
    open('Law')
    await screen.findByText('Law')
    expect(screen.queryByText('No model is connected.')).toBeNull()
  })
})

describe('the banner about a model that does not answer', () => {
  it('says where and when it failed, and what follows', async () => {
    const words = 'No server answers at http://localhost:11434/v1.'
    const trouble = { kind: 'failing', words, failedAt: '2026-11-21T09:00:00.000Z' } as const
    api.on(assistantsApi.status, () => anAssistantStatus({ trouble }))
    open('Law', 'Physics')
    const link = await screen.findByRole('link', { name: 'Open the model settings' })
    expect(link.getAttribute('href')).toBe('/admin/settings?section=connections#model')
    screen.getByText(/^No server answers at .+ Last failure: Nov 21/)
    screen.getByText(/No channel can write replies until it answers again\./)
  })
})

describe('the empty list', () => {
  it('offers to create a channel', async () => {
    open()
    const link = await screen.findByRole('link', { name: 'Create channel' })
    expect(link.getAttribute('href')).toBe('/admin/channels?new')
  })

  it('offers nothing without canCreateChannels', async () => {
    signInAdminWithout(api, 'canCreateChannels')
    open()
    await screen.findByText('There are no channels yet.')
    expect(screen.queryByRole('link', { name: 'Create channel' })).toBeNull()
  })

  it('offers nothing in the list of archived channels', async () => {
    api.on(channelsApi.list, () => aPage([]))
    renderPage(<ChannelAdminList>{() => null}</ChannelAdminList>, { at: '/admin/channels?archived=true' })
    await screen.findByText('There are no archived channels.')
    expect(screen.queryByRole('link', { name: 'Create channel' })).toBeNull()
  })
})
