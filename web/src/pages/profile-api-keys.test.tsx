import { type ApiKey, apiKeysApi } from '@lyceum/contract/api-keys'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, anApiKey } from '#testing/samples.ts'
import { aUser, signIn } from '#testing/users.ts'
import { ProfilePage } from './profile.tsx'

const key = `lyceum_Ab12cd${'x'.repeat(37)}`

let api: FakeApi
let keys: ApiKey[]

beforeEach(() => {
  keys = [anApiKey()]
  signIn(aUser())
  api = fakeApi()
    .on(authApi.me, () => aUser())
    .on(authApi.sessions, () => [])
    .on(authApi.trustedBrowsers, () => [])
    .on(channelsApi.list, () => [
      aChannel(),
      aChannel({ _id: 'channel-2', name: 'Chemistry' }),
      aChannel({ _id: 'channel-3', name: 'Not joined', isMember: false }),
    ])
    .on(connectedProgramsApi.list, () => [])
    .on(apiKeysApi.list, () => keys)
    .on(apiKeysApi.create, ({ body: { name, scopes } }) => {
      const created = anApiKey({ _id: 'key-2', name, scopes })
      keys = [created, ...keys]
      return { ...created, key }
    })
    .on(apiKeysApi.revoke, ({ params }) => {
      keys = keys.filter(({ _id }) => _id !== params.id)
      return undefined
    })
})

function visit() {
  return renderPage(<ProfilePage />, { at: '/profile' })
}
type User = ReturnType<typeof visit>['user']

async function openForm(user: User) {
  await user.click(screen.getByRole('button', { name: 'Create API key' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create API key' }))
  return {
    ...dialog,
    submit: () => user.click(dialog.getByRole('button', { name: 'Create API key' })),
  }
}

async function create(user: User) {
  const form = await openForm(user)
  await user.type(form.getByLabelText('Name'), 'Wiki bot')
  await user.click(form.getByRole('checkbox', { name: 'Search and read documents' }))
  await form.submit()
  return within(await screen.findByRole('dialog', { name: 'API key created' }))
}

describe('the list of API keys', () => {
  it('can be loaded again after a failure', async () => {
    api.on(apiKeysApi.list, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The API keys could not be loaded.')
    screen.getByText('The server is busy. Please try again in a moment.')
    api.on(apiKeysApi.list, () => keys)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Nightly report')
  })

  it('shows a loading state, then that there are none', async () => {
    keys = []
    visit()
    expect(screen.getByText('Loading API keys…').closest('[role=status]')).not.toBeNull()
    await screen.findByText('No API keys yet.')
  })

  it('shows what each key can do, where, and who created it', async () => {
    keys = [
      anApiKey({ _id: 'key-3', createdByName: 'Grace Example', scopes: ['chat', 'documents'] }),
      anApiKey({ _id: 'key-2', channels: [{ _id: 'channel-1', name: 'Physics' }], scopes: ['documents'] }),
      anApiKey({ channels: [], lastUsedAt: '2026-11-21T09:00:00.000Z' }),
    ]
    visit()
    const list = await screen.findByRole('list', { name: 'API keys' })
    const rows = within(list).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /lyceum_Ab12cd….*Ask questions in channels · Search and read documents.*All channels/,
      ),
      expect.stringMatching(/Never used.*Search and read documents.*Channel: Physics/),
      expect.stringMatching(/Last used Nov 21, 2026.*No channels: all of them have been deleted/),
    ])
    expect(rows[0]?.textContent).toContain('Created by Grace Example')
    expect(rows[1]?.textContent).not.toContain('Created by')
    expect(rows[0]?.textContent).toMatch(/Expires Feb 18, 2027 \(.+\).*Created Nov 20, 2026/)
    const details = within(list)
      .getAllByText(/^Details/)
      .map((summary) => summary.closest('details'))
    expect(details.map((element) => element?.open)).toEqual([false, false, false])
  })

  it('says in how many days a key expires', async () => {
    function inDays(days: number): string {
      return new Date(Date.now() + days * 86_400_000 - 60_000).toISOString()
    }
    keys = [anApiKey({ _id: 'key-2', expiresAt: inDays(30) }), anApiKey({ expiresAt: inDays(1) })]
    visit()
    await screen.findByText(/\(in 30 days\)/)
    screen.getByText(/\(within a day\)/)
  })

  it('shows who revoked a key and when, without a button', async () => {
    keys = [anApiKey({ revoked: { at: '2026-11-21T09:00:00.000Z', byName: 'Grace Example' } })]
    visit()
    const list = within(await screen.findByRole('list', { name: 'API keys' }))
    list.getByText('Revoked')
    expect(list.getByRole('listitem').textContent).toMatch(
      /Nightly report.*By Grace Example, an administrator, Nov 21, 2026/,
    )
    expect(list.queryByRole('button')).toBeNull()
  })

  it('is followed by where programs use a key', async () => {
    visit()
    await screen.findByText('Using your key')
    screen.getByText(`${location.origin}/v1`)
    screen.getByText(`${location.origin}/mcp`)
  })
})

describe('creating an API key', () => {
  it('requires a name, what it can do, and a channel', async () => {
    const { user } = visit()
    const form = await openForm(user)
    await user.click(form.getByRole('radio', { name: 'Selected channels' }))
    await form.submit()
    form.getByText('Name is required')
    form.getByText('Choose what the key can do')
    form.getByText('Choose a channel')
    expect(document.activeElement).toBe(form.getByLabelText('Name'))
    await user.type(form.getByLabelText('Name'), 'Wiki bot')
    await form.submit()
    expect(document.activeElement).toBe(form.getByRole('group', { name: 'What the key can do' }))
    expect(api.calls(apiKeysApi.create)).toHaveLength(0)
  })

  it('shows the refusal of the server and keeps the entries', async () => {
    api.on(apiKeysApi.create, () => refuse('api_key.limit'))
    const { user } = visit()
    const form = await openForm(user)
    await user.type(form.getByLabelText('Name'), 'Wiki bot')
    await user.click(form.getByRole('checkbox', { name: 'Ask questions in channels' }))
    await form.submit()
    await form.findByText('A user can have up to 20 API keys. Revoke one first.')
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Wiki bot')
  })

  it('says when the channels could not be loaded', async () => {
    api.on(channelsApi.list, () => refuse('internal'))
    const { user } = visit()
    const form = await openForm(user)
    await user.click(form.getByRole('radio', { name: 'Selected channels' }))
    await form.findByText('The channels could not be loaded.')
    api.on(channelsApi.list, () => [aChannel()])
    await user.click(form.getByRole('button', { name: 'Try again' }))
    await form.findByRole('checkbox', { name: 'Physics' })
  })

  it('asks before it discards entries', async () => {
    const { user } = visit()
    const form = await openForm(user)
    await user.type(form.getByLabelText('Name'), 'W')
    await user.click(form.getByRole('button', { name: 'Cancel' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' }))
    await user.click(question.getByRole('button', { name: 'Discard' }))
    const button = screen.getByRole('button', { name: 'Create API key' })
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('offers only the channels of the user, and sends what was chosen', async () => {
    const { user } = visit()
    const form = await openForm(user)
    await user.type(form.getByLabelText('Name'), ' Wiki bot ')
    await user.click(form.getByRole('checkbox', { name: 'Search and read documents' }))
    await user.click(form.getByRole('checkbox', { name: 'Ask questions in channels' }))
    await user.click(form.getByRole('radio', { name: 'Selected channels' }))
    await user.click(await form.findByRole('checkbox', { name: 'Chemistry' }))
    expect(form.queryByRole('checkbox', { name: 'Not joined' })).toBeNull()
    expect(form.getByLabelText<HTMLSelectElement>('Expires after').value).toBe('90')
    await user.selectOptions(form.getByLabelText('Expires after'), '365 days')
    await form.submit()
    const created = within(await screen.findByRole('dialog', { name: 'API key created' }))
    created.getByText(`${location.origin}/v1`)
    expect(api.calls(apiKeysApi.create).map(({ body }) => body)).toEqual([
      { name: 'Wiki bot', scopes: ['chat', 'documents'], channelIds: ['channel-2'], expiresInDays: 365 },
    ])
  })

  it('shows the key once and asks before it closes without a copy', async () => {
    const { user } = visit()
    const dialog = await create(user)
    dialog.getByText('Copy this key now. You won’t see it again.')
    expect(dialog.getByLabelText<HTMLInputElement>('API key').value).toBe(key)
    // This key cannot ask questions, so it is of use to agents only.
    expect(dialog.queryByText('Base URL')).toBeNull()
    dialog.getByText(`${location.origin}/mcp`)
    dialog.getByText(/: they can search the channels and read their documents\./)
    const field = dialog.getByLabelText<HTMLInputElement>('API key')
    field.focus()
    expect([field.selectionStart, field.selectionEnd, field.selectionDirection]).toEqual([
      0,
      key.length,
      'backward',
    ])
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    const question = within(
      await screen.findByRole('alertdialog', { name: 'Close without copying the key?' }),
    )
    await user.click(question.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await user.click(dialog.getByRole('button', { name: 'Copy the key' }))
    await dialog.findByText('Copied', { selector: '[role=status]' })
    expect(await navigator.clipboard.readText()).toBe(key)
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.body.innerHTML).not.toContain(key)
    await screen.findByText('Wiki bot')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create API key' }))
  })

  it('asks again when the browser refuses to copy, and closes when the user insists', async () => {
    const { user } = visit()
    const dialog = await create(user)
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
    await user.click(dialog.getByRole('button', { name: 'Copy the key' }))
    await dialog.findByText('Copying failed', { selector: '[role=status]' })
    await user.keyboard('{Escape}')
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('revoking an API key', () => {
  async function confirm(user: User) {
    await user.click(await screen.findByRole('button', { name: 'Revoke Nightly report' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Revoke this API key?' }))
    question.getByText('Nightly report')
    await user.click(question.getByRole('button', { name: 'Revoke' }))
  }

  it('does nothing when the question is cancelled', async () => {
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Revoke Nightly report' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    const button = screen.getByRole('button', { name: 'Revoke Nightly report' })
    await waitFor(() => expect(document.activeElement).toBe(button))
    expect(api.calls(apiKeysApi.revoke)).toHaveLength(0)
  })

  it('reports a failure and reloads the list', async () => {
    api.on(apiKeysApi.revoke, () => {
      keys = []
      return refuse('not_found')
    })
    const { user } = visit()
    await confirm(user)
    await screen.findByText('Not found. It may have been deleted, or you do not have access.')
    await screen.findByText('No API keys yet.')
  })

  it('removes the key and moves the focus to the heading', async () => {
    const { user } = visit()
    await confirm(user)
    await screen.findByText('API key revoked')
    await screen.findByText('No API keys yet.')
    expect(api.calls(apiKeysApi.revoke)[0]?.params).toEqual({ id: 'key-1' })
    const heading = screen.getByRole('heading', { name: 'API keys' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
  })
})
