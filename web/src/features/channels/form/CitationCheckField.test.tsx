import { analyticsApi, type CheckUsage } from '@lyceum/contract/analytics'
import { type AssistantStatus, assistantsApi } from '@lyceum/contract/assistants'
import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus, anExtractiveStatus } from '#testing/assistant-samples.ts'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aSavedChannel } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ChannelDialog } from './ChannelDialog.tsx'

const unused: CheckUsage = {
  ...{ days: 30, checks: 0, tokens: 0 },
  ...{ checkedCitations: 0, removedCitations: 0, uncheckedCitations: 0 },
}

let api: FakeApi
beforeEach(() => {
  signIn(anAdmin())
  api = fakeApi()
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(assistantsApi.presets, () => [])
    .on(analyticsApi.checkUsage, () => unused)
    .on(channelsApi.create, ({ body }) => aSavedChannel(body))
    .on(channelsApi.update, ({ body }) => aSavedChannel(body))
})

function open(channel: Channel | null = aChannel()): UserEvent {
  return renderPage(<ChannelDialog channel={channel} onClose={() => undefined} />).user
}
function getSwitch(): Promise<HTMLInputElement> {
  return screen.findByRole('checkbox', { name: /^Check citations with the model/ })
}
function getSaved() {
  return api.calls(channelsApi.update).map(({ body }) => body.checkCitations)
}

describe('the check of citations in the channel form', () => {
  it('cannot be turned on without a model, and says where to connect one', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    api.on(assistantsApi.status, () => anExtractiveStatus())
    open()
    await screen.findByText(/No model is connected, so only words are compared/)
    expect((await getSwitch()).disabled).toBe(true)
    expect(screen.getByRole('link', { name: 'Connect a model' })).toBeDefined()
  })

  it('can be turned off without a model', async () => {
    api.on(assistantsApi.status, () => anExtractiveStatus())
    const user = open(aChannel({ checkCitations: true }))
    await screen.findByText(/No model is connected, so only words are compared/)
    await user.click(await getSwitch())
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await expect.poll(getSaved).toEqual([false])
  })

  it('waits until it is known whether there is a model', async () => {
    const known = Promise.withResolvers<AssistantStatus>()
    api.on(assistantsApi.status, () => known.promise)
    open()
    const box = await getSwitch()
    expect(box.disabled).toBe(true)
    known.resolve(anAssistantStatus())
    await expect.poll(() => box.disabled).toBe(false)
  })

  it('says before it is turned on that it takes more calls, and saves the choice', async () => {
    const user = open()
    await screen.findByText(/one or a few more calls.*was not used in the last 30 days/)
    expect((await getSwitch()).checked).toBe(false)
    await expect.poll(async () => (await getSwitch()).disabled).toBe(false)
    ;(await getSwitch()).focus()
    await user.keyboard(' ')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await expect.poll(getSaved).toEqual([true])
  })

  it('says the same in the form of a new channel, without asking what it took', async () => {
    open(null)
    await screen.findByText(/one or a few more calls/)
    expect(api.calls(analyticsApi.checkUsage)).toEqual([])
  })

  it('shows what it took and how many citations were removed', async () => {
    api.on(analyticsApi.checkUsage, () => ({
      ...{ days: 30, checks: 12, tokens: 3400 },
      ...{ checkedCitations: 52, removedCitations: 4, uncheckedCitations: 3 },
    }))
    open(aChannel({ checkCitations: true }))
    await screen.findByText(
      'In the last 30 days: 12 calls with 3,400 tokens. The model rejected 4 of 52 citations (8 %). There was no answer about 3 more, so only words were compared.',
    )
  })

  it('shows no share when no citation was checked', async () => {
    api.on(analyticsApi.checkUsage, () => ({ ...unused, checks: 1, uncheckedCitations: 2 }))
    open(aChannel({ checkCitations: true }))
    await screen.findByText(
      'In the last 30 days: 1 call with 0 tokens. There was no answer about 2 more, so only words were compared.',
    )
  })

  it('says when that could not be loaded', async () => {
    api.on(analyticsApi.checkUsage, () => refuse('internal'))
    open()
    await screen.findByText('What the check took could not be loaded.')
    expect((await getSwitch()).disabled).toBe(false)
    expect(takeConsoleOutput('warn').join()).toContain('A query failed')
  })
})
