import { assistantsApi, type Preset } from '@lyceum/contract/assistants'
import { channelsApi, languageModels } from '@lyceum/contract/channels'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus } from '#testing/assistant-samples.ts'
import { takeConsoleOutput } from '#testing/console-output.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, aSavedChannel } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { bannerStore } from '#ui/banner.ts'
import { ChannelDialog } from './ChannelDialog.tsx'

const guide: Preset = {
  _id: 'preset-1',
  assistantId: 'guide',
  name: 'House guide',
  description: '',
  instructions: 'Be brief.',
  model: 'gpt-4o',
  options: {},
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  channelCount: 0,
}

let api: FakeApi

function mockResolve(
  kind: 'preset' | 'external' | 'none',
  name: string | null,
  warning: string | null = null,
): void {
  api.on(assistantsApi.resolve, () => ({ kind, name, warning }))
}

async function open(openaiAssistantId = ''): Promise<UserEvent> {
  const channel = aChannel({ useAssistant: true, openaiAssistantId, systemPrompt: '', llmModel: '' })
  const { user } = renderPage(<ChannelDialog channel={channel} onClose={() => undefined} />)
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  return user
}
function getSelect(): HTMLElement {
  return screen.getByRole('combobox', { name: 'Assistant' })
}
function getIdField(): HTMLElement {
  return screen.getByRole('textbox', { name: 'Assistant ID' })
}
/** Makes the form one that can be saved. */
function changeDescription(user: UserEvent): Promise<void> {
  return user.type(screen.getByLabelText('Description'), '.')
}
function save(user: UserEvent): Promise<void> {
  return user.click(screen.getByRole('button', { name: 'Save Changes' }))
}
function getSavedIds() {
  return api.calls(channelsApi.update).map(({ body }) => body.openaiAssistantId)
}

beforeEach(() => {
  signIn(anAdmin())
  api = fakeApi()
    .on(assistantsApi.presets, () => [guide])
    .on(assistantsApi.status, () => anAssistantStatus())
    .on(channelsApi.update, ({ body }) => aSavedChannel(body))
  mockResolve('preset', 'House guide')
})

describe('the assistant of a channel', () => {
  it('is selected from the assistants of this installation', async () => {
    const user = await open()
    expect(screen.queryByRole('textbox', { name: 'Assistant ID' })).toBeNull()
    await changeDescription(user)
    await save(user)
    screen.getByText('Assistant ID is required')
    expect(document.activeElement).toBe(getSelect())
    await user.selectOptions(getSelect(), 'House guide (guide)')
    await screen.findByText('Uses “House guide”.')
    expect(api.calls(assistantsApi.resolve)[0]?.query).toEqual({ assistantId: 'guide' })
    await save(user)
    await expect.poll(getSavedIds).toEqual(['guide'])
  })

  it('has the focus if the form was opened for it', async () => {
    const channel = aChannel({ useAssistant: true, openaiAssistantId: 'guide' })
    renderPage(<ChannelDialog channel={channel} startsAtAssistant onClose={() => undefined} />)
    await waitFor(() => expect(document.activeElement).toBe(getSelect()))
  })

  it('shows the channel’s current assistant', async () => {
    await open('guide')
    expect(getSelect()).toHaveProperty('value', 'guide')
    await screen.findByText('Uses “House guide”.')
  })

  it('accepts another id and checks it after a pause in typing', async () => {
    mockResolve('external', 'Librarian')
    const user = await open()
    await user.selectOptions(getSelect(), 'Another ID…')
    await changeDescription(user)
    await save(user)
    screen.getByText('Assistant ID is required')
    expect(document.activeElement).toBe(getIdField())
    await user.type(getIdField(), ' asst_1')
    await screen.findByText('Uses “Librarian” from the assistants server.')
    expect(api.calls(assistantsApi.resolve).at(-1)?.query).toEqual({ assistantId: 'asst_1' })
    await save(user)
    await expect.poll(getSavedIds).toEqual(['asst_1'])
  })

  it('warns about an unknown id and still saves it', async () => {
    mockResolve('none', null, 'There is no assistant “asst_9”.')
    const user = await open('asst_9')
    expect(getSelect()).toHaveProperty('value', '?')
    await screen.findByText(/There is no assistant “asst_9”\..*You can still save the channel\./)
    await user.type(getIdField(), '9')
    // The warning was about the previous id.
    expect(screen.queryByText(/There is no assistant/)).toBeNull()
    await save(user)
    await expect.poll(getSavedIds).toEqual(['asst_99'])
  })

  it('shows the warning with the result, also the one that only the assistants server knows', async () => {
    mockResolve('none', null, 'There is no assistant “asst_9”.')
    api.on(channelsApi.update, ({ body }) => ({ ...aSavedChannel(body), setupProblem: 'gone' as const }))
    const user = await open('asst_9')
    await screen.findByText(/There is no assistant/)
    await changeDescription(user)
    await save(user)
    await waitFor(() =>
      expect(bannerStore.get().entry).toMatchObject({
        text: 'Channel updated successfully',
        warning: 'There is no assistant “asst_9”.',
        action: { label: 'Edit the channel' },
      }),
    )
  })

  it('is followed by the offer to connect a model, if only that is missing', async () => {
    signIn(anAdmin({ isSystemAdmin: true }))
    const warning = 'No model is connected, so this assistant cannot answer.'
    mockResolve('preset', 'House guide', warning)
    api.on(channelsApi.update, ({ body }) => ({
      ...aSavedChannel(body),
      setupProblem: 'no-model' as const,
    }))
    const user = await open('guide')
    await screen.findByText(warning)
    await changeDescription(user)
    await save(user)
    await waitFor(() =>
      expect(bannerStore.get().entry).toMatchObject({ warning, action: { label: 'Connect a model' } }),
    )
  })

  it('is followed by the offer to add documents to a custom channel that has none', async () => {
    api.on(channelsApi.update, ({ body }) => ({
      ...aSavedChannel(body),
      setupProblem: 'no-documents' as const,
    }))
    const user = await open('guide')
    await user.click(screen.getByRole('radio', { name: /Custom channel/ }))
    await save(user)
    await waitFor(() =>
      expect(bannerStore.get().entry).toMatchObject({
        warning: 'It has no approved documents to answer from yet.',
        action: { label: 'Add documents' },
      }),
    )
  })

  it('does not hide another warning behind the missing documents', async () => {
    api.on(channelsApi.update, ({ body }) => ({
      ...aSavedChannel(body),
      warning: 'Retired by the provider.',
      setupProblem: 'no-documents' as const,
    }))
    const user = await open('guide')
    await user.click(screen.getByRole('radio', { name: /Custom channel/ }))
    await save(user)
    await waitFor(() =>
      expect(bannerStore.get().entry?.warning).toBe(
        'Retired by the provider. It has no approved documents to answer from yet.',
      ),
    )
  })

  it('is replaced by the first offered model when the channel becomes a custom one', async () => {
    const models = languageModels.map((label) => ({
      label,
      answeredBy: label,
      note: null,
      takesPictures: false,
      offered: label === languageModels[1],
    }))
    api.on(assistantsApi.status, () => anAssistantStatus({ models }))
    const user = await open('guide')
    await user.click(screen.getByRole('radio', { name: /Custom channel/ }))
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Language model' })).toHaveProperty(
        'value',
        languageModels[1],
      ),
    )
  })

  it('reports an assistants server that does not respond', async () => {
    mockResolve('external', null, 'The assistants server did not respond.')
    await open('asst_1')
    await screen.findByText('Uses an assistant from the assistants server.')
    screen.getByText('The assistants server did not respond.')
  })

  it('is entered as an id if the installation has no assistants', async () => {
    api.on(assistantsApi.presets, () => [])
    const user = await open()
    expect(screen.queryByRole('combobox')).toBeNull()
    await user.type(getIdField(), 'asst_1')
    await save(user)
    await expect.poll(getSavedIds).toEqual(['asst_1'])
  })

  it('is entered as an id if the assistants cannot be loaded, and only logs a failed check', async () => {
    api.on(assistantsApi.presets, () => refuse('internal'))
    api.on(assistantsApi.resolve, () => refuse('internal'))
    await open('asst_1')
    expect(getIdField()).toHaveProperty('value', 'asst_1')
    await waitFor(() => expect(screen.queryByText('Checking the assistant…')).toBeNull())
    expect(takeConsoleOutput('warn').join()).toContain('A query failed')
  })
})
