import { assistantsApi, type Preset, type PresetInput } from '@lyceum/contract/assistants'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { getPermissions, type Permission } from '@lyceum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAssistantStatus, anExtractiveStatus, aPreset } from '#testing/assistant-samples.ts'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { ReadyMadeAssistants } from './ReadyMadeAssistants.tsx'

let api: FakeApi
let presets: Preset[]

function visit(): UserEvent {
  return renderPage(
    <>
      <ResultBanner />
      <ReadyMadeAssistants />
    </>,
  ).user
}

function signInWithout(permission: Permission): void {
  const overrides = { [permission]: false }
  const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
  api.on(authApi.me, () => admin)
  signIn(admin)
}

async function press(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name }))
}
function readValue(label: string): string {
  return screen.getByLabelText<HTMLInputElement>(label).value
}

function toPreset(body: PresetInput): Preset {
  return aPreset({ ...body, _id: 'preset-new' })
}

beforeEach(() => {
  presets = [aPreset()]
  api = fakeApi()
    .on(authApi.me, () => anAdmin())
    .on(assistantsApi.presets, () => presets)
    .on(assistantsApi.status, () => anAssistantStatus())
  signIn(anAdmin())
})

describe('list of ready-made assistants', () => {
  it('shows the ID, model and usage of each', async () => {
    presets = [
      aPreset({ channelCount: 2, model: 'o1' }),
      aPreset({ _id: 'p2', name: 'Other', assistantId: 'other' }),
    ]
    const models = [{ label: 'o1' as const, answeredBy: 'gpt-5.6-sol', note: null, offered: true }]
    api.on(assistantsApi.status, () => anAssistantStatus({ models }))
    visit()
    screen.getByText('Loading the ready-made assistants…')
    const rows = await screen.findAllByRole('listitem')
    expect(rows).toHaveLength(2)
    const first = within(rows[0] as HTMLElement)
    first.getByRole('heading', { name: 'Welcome guide' })
    first.getByText('welcome-guide')
    first.getByRole('button', { name: 'Copy the assistant ID of Welcome guide' })
    first.getByText('Used by 2 channels')
    await first.findByText('answered by gpt-5.6-sol')
    within(rows[1] as HTMLElement).getByText('Not used by any channel')
  })

  it('shows an empty state with a button to create one', async () => {
    presets = []
    const user = visit()
    await screen.findByText('No ready-made assistants yet.')
    await press(user, 'New Assistant')
    await screen.findByRole('dialog', { name: 'New Assistant' })
  })

  it('shows an error when it cannot be loaded, and retries', async () => {
    api.on(assistantsApi.presets, () => refuse('internal'))
    const user = visit()
    await screen.findByText('The ready-made assistants could not be loaded.')
    api.on(assistantsApi.presets, () => presets)
    await press(user, 'Try again')
    await screen.findByRole('heading', { name: 'Welcome guide' })
  })

  it.each([
    [false, /No other IDs can be used\. To use assistants from another server, set/],
    [true, /Other IDs are looked up at/],
  ])('explains how other IDs are handled (external: %s)', async (external, text) => {
    api.on(assistantsApi.status, () => anAssistantStatus({ external }))
    visit()
    await screen.findByText(text)
  })

  it('warns when no model is configured', async () => {
    api.on(assistantsApi.status, () => anExtractiveStatus())
    visit()
    await screen.findByText(/these assistants cannot answer yet. Ask a system administrator to connect one./)
  })

  it('links to the model connection for system administrators', async () => {
    const admin = anAdmin({ isSystemAdmin: true })
    signIn(admin)
    api.on(authApi.me, () => admin).on(assistantsApi.status, () => anExtractiveStatus())
    visit()
    const link = await screen.findByRole('link', { name: 'Connections' })
    expect(link.getAttribute('href')).toBe('/admin/settings?section=connections#model')
  })

  it('can be paged and searched when it is long', async () => {
    presets = Array.from({ length: 50 }, (_, at) =>
      aPreset({ _id: `p${at}`, assistantId: `guide-${at}`, name: `Guide ${at}` }),
    )
    const user = visit()
    await screen.findByRole('heading', { name: 'Guide 0' })
    await user.click(screen.getByRole('button', { name: 'Page 5' }))
    screen.getByRole('heading', { name: 'Guide 49' })
    expect(screen.queryByRole('heading', { name: 'Guide 0' })).toBeNull()
    await user.type(screen.getByLabelText('Search assistants'), 'guide-31')
    await waitFor(() => expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1))
    screen.getByRole('heading', { name: 'Guide 31' })
    await user.type(screen.getByLabelText('Search assistants'), 'x')
    await screen.findByText('No results for “guide-31x”.')
  })
})

describe('creating and editing an assistant', () => {
  it('derives the ID from the name until it is edited, and creates the assistant', async () => {
    api.on(assistantsApi.createPreset, ({ body }) => toPreset(body))
    const user = visit()
    await press(user, 'New Assistant')
    await user.type(screen.getByLabelText('Name'), 'Welcome guide')
    // 'welcome-guide' is taken.
    expect(readValue('Assistant ID')).toBe('welcome-guide-2')
    await user.type(screen.getByLabelText('Assistant ID'), 'x')
    await user.type(screen.getByLabelText('Name'), ' again')
    expect(readValue('Assistant ID')).toBe('welcome-guide-2x')
    await user.type(screen.getByLabelText('Instructions'), 'Be kind.')
    screen.getByText('8 of 16,000 characters')
    await user.selectOptions(screen.getByLabelText('Language model'), 'o1')
    await user.selectOptions(screen.getByLabelText('Reasoning effort'), 'High')
    await user.type(screen.getByLabelText('Maximum output tokens'), '400')
    await press(user, 'Create Assistant')
    await screen.findByText('Assistant created')
    expect(api.calls(assistantsApi.createPreset)[0]?.body).toEqual({
      name: 'Welcome guide again',
      assistantId: 'welcome-guide-2x',
      description: '',
      instructions: 'Be kind.',
      model: 'o1',
      options: { reasoningEffort: 'high', maxOutputTokens: 400 },
    })
    expect(api.calls(assistantsApi.presets).length).toBeGreaterThan(1)
  })

  it('shows errors under the invalid fields', async () => {
    const user = visit()
    await press(user, 'New Assistant')
    await user.type(screen.getByLabelText('Maximum output tokens'), '0')
    await press(user, 'Create Assistant')
    screen.getByText('Name is required')
    screen.getByText('Enter a whole number from 1 to 200,000, or leave empty')
    await user.type(screen.getByLabelText('Assistant ID'), 'a b')
    screen.getByText('Use only letters, digits and . _ : - (at most 128 characters)')
    expect(api.unhandledCalls).toEqual([])
  })

  it('shows a taken ID under its field and other errors above the form', async () => {
    api.on(assistantsApi.updatePreset, () => refuse('assistant.exists'))
    const user = visit()
    await press(user, 'Edit')
    await user.type(screen.getByLabelText('Assistant ID'), '-2')
    await press(user, 'Save Changes')
    await screen.findByText('A ready-made assistant with this ID already exists')
    expect(screen.getByLabelText('Assistant ID').getAttribute('aria-invalid')).toBe('true')
    api.on(assistantsApi.updatePreset, () => refuse('internal'))
    await press(user, 'Save Changes')
    await screen.findByText('Failed to save the assistant')
    expect(readValue('Assistant ID')).toBe('welcome-guide-2')
  })

  it('edits an assistant whose ID is read-only while channels use it', async () => {
    presets = [aPreset({ channelCount: 1, options: { maxOutputTokens: 300 } })]
    api.on(assistantsApi.updatePreset, ({ body }) => toPreset(body))
    const user = visit()
    await press(user, 'Edit')
    expect(screen.getByLabelText('Assistant ID')).toHaveProperty('readOnly', true)
    screen.getByText('One channel uses this ID, so it can’t be changed.')
    await user.type(screen.getByLabelText('Name'), '!')
    await user.clear(screen.getByLabelText('Maximum output tokens'))
    await press(user, 'Save Changes')
    await screen.findByText('Assistant updated')
    const [sent] = api.calls(assistantsApi.updatePreset)
    expect(sent?.params).toEqual({ id: 'preset-1' })
    expect(sent?.body).toMatchObject({ name: 'Welcome guide!', assistantId: 'welcome-guide', options: {} })
  })

  it('asks before it discards changes', async () => {
    const user = visit()
    await press(user, 'Edit')
    await user.type(screen.getByLabelText('Instructions'), ' More.')
    await press(user, 'Cancel')
    await screen.findByRole('alertdialog', { name: 'Discard your changes?' })
    await press(user, 'Discard')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows the note about a replaced model', async () => {
    const note = 'o1 was retired on Oct 23, 2026. Replies come from gpt-5.6-sol.'
    api.on(assistantsApi.status, () =>
      anAssistantStatus({ models: [{ label: 'o1', answeredBy: 'gpt-5.6-sol', note, offered: true }] }),
    )
    const user = visit()
    await press(user, 'Edit')
    expect(screen.queryByText(note)).toBeNull()
    await user.selectOptions(screen.getByLabelText('Language model'), 'o1')
    await screen.findByText(note)
  })
})

describe('testing an assistant', () => {
  async function ask(user: UserEvent, message: string): Promise<void> {
    await press(user, 'Edit')
    if (message !== '') await user.type(screen.getByLabelText('Message'), message)
    await press(user, 'Ask')
  }

  it('sends the current form values and shows the raw reply', async () => {
    const waiting = Promise.withResolvers<void>()
    api.on(assistantsApi.tryPreset, async () => {
      await waiting.promise
      return { reply: '**Hello**\n<b>you</b>', model: 'gpt-4o-2026', milliseconds: 1234 }
    })
    const user = visit()
    await press(user, 'Edit')
    await user.type(screen.getByLabelText('Instructions'), ' Be brief.')
    await user.type(screen.getByLabelText('Message'), 'Good morning')
    await press(user, 'Ask')
    const button = screen.getByRole('button', { name: 'Ask' })
    expect(button.getAttribute('aria-busy')).toBe('true')
    await user.click(button)
    waiting.resolve()
    const reply = await screen.findByText(/\*\*Hello\*\*/)
    expect(reply.textContent).toBe('**Hello**\n<b>you</b>')
    screen.getByText('Answered by gpt-4o-2026 in 1.2 s')
    const sent = api.calls(assistantsApi.tryPreset).map(({ body }) => body)
    expect(sent).toEqual([
      {
        instructions: 'You greet people warmly. Be brief.',
        model: 'gpt-4o',
        options: {},
        message: 'Good morning',
      },
    ])
  })

  it('shows the server’s message when no model is configured', async () => {
    api.on(assistantsApi.tryPreset, () => refuse('assistant.no_model'))
    const user = visit()
    await ask(user, 'Hello')
    await screen.findByText('No model is connected. Connect one in the settings, then try again.')
  })

  it('shows a fallback message when the server sends none', async () => {
    api.on(assistantsApi.tryPreset, () => refuse('internal'))
    const user = visit()
    await ask(user, 'Hello')
    await screen.findByText('The test failed to run.')
  })

  it('requires a message and valid form values', async () => {
    const user = visit()
    await ask(user, '')
    screen.getByText('A message cannot be blank')
    await user.type(screen.getByLabelText('Message'), 'Hello')
    await user.type(screen.getByLabelText('Maximum output tokens'), 'many')
    await press(user, 'Ask')
    screen.getByText(/Please fix this first: Enter a whole number from 1 to 200,000, or leave empty/)
    expect(api.unhandledCalls).toEqual([])
  })
})

describe('deleting an assistant', () => {
  it('is refused with a reason while channels use it', async () => {
    presets = [aPreset({ channelCount: 3 })]
    api.on(channelsApi.list, () => [
      aChannel({ _id: 'c1', name: 'Kitchen', useAssistant: true, openaiAssistantId: 'welcome-guide' }),
      aChannel({ _id: 'c2', name: 'Garden', useAssistant: true, openaiAssistantId: 'another' }),
    ])
    const user = visit()
    await press(user, 'Delete')
    const dialog = within(await screen.findByRole('dialog', { name: 'This assistant is in use' }))
    dialog.getByText('3 channels use this assistant. Choose another one in those channels first.')
    const link = await dialog.findByRole('link', { name: 'Kitchen' })
    expect(link.getAttribute('href')).toBe('/admin/channels?edit=c1&field=assistant')
    expect(dialog.queryByText('Garden')).toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(api.unhandledCalls).toEqual([])
  })

  it('asks for confirmation', async () => {
    api.on(assistantsApi.removePreset, () => {
      presets = []
      return { message: 'deleted' }
    })
    const user = visit()
    await press(user, 'Delete')
    await press(user, 'Delete assistant')
    await screen.findByText('Assistant deleted')
    await screen.findByText('No ready-made assistants yet.')
  })

  it('shows the server’s refusal when a channel has just started to use it', async () => {
    api.on(assistantsApi.removePreset, () => {
      presets = [aPreset({ channelCount: 1 })]
      return refuse('assistant.in_use')
    })
    const user = visit()
    await press(user, 'Delete')
    await press(user, 'Delete assistant')
    await screen.findByText('A channel uses this assistant')
    await screen.findByText('Used by 1 channel')
  })
})

describe('missing permissions', () => {
  const refusal = 'You do not have permission to manage settings'

  it('makes everything read-only without canManageSettings', async () => {
    signInWithout('canManageSettings')
    const user = visit()
    await press(user, 'New Assistant')
    await screen.findByText(refusal)
    await press(user, 'View')
    expect(screen.getByLabelText('Instructions')).toHaveProperty('readOnly', true)
    expect(screen.getByLabelText('Language model')).toHaveProperty('disabled', true)
    const dialog = within(screen.getByRole('dialog'))
    await press(user, 'Save Changes')
    await dialog.findByText(refusal)
    await press(user, 'Ask')
    await waitFor(() => expect(dialog.getAllByText(refusal)).toHaveLength(2))
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
    expect(api.unhandledCalls).toEqual([])
  })

  it('sends no requests without canManageChannels', async () => {
    signInWithout('canManageChannels')
    visit()
    await screen.findByText('You do not have permission to manage channels')
    expect(screen.queryByRole('button')).toBeNull()
    expect(api.calls(assistantsApi.presets)).toEqual([])
  })
})
