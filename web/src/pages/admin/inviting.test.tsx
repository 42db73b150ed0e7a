import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Invitation, invitationsApi } from '@lyceum/contract/invitations'
import { overviewApi } from '@lyceum/contract/overview'
import { settingsApi } from '@lyceum/contract/settings'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeApi, NoNetwork, refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aChannel, anInvitation, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { UsersPage } from './users.tsx'

const link = 'https://lyceum.example/register?token=abc'

let api: FakeApi

function listInvitations(...invitations: Invitation[]): void {
  api.on(invitationsApi.list, () => aPage(invitations))
}

function visit(): UserEvent {
  return renderPage(<UsersPage />, { at: '/admin/users' }).user
}

async function openForm(): Promise<UserEvent> {
  const user = visit()
  await user.click(await screen.findByRole('button', { name: 'Invite User' }))
  await screen.findByLabelText('Email')
  return user
}

async function enterDays(user: UserEvent, entry: string): Promise<void> {
  await user.click(screen.getByRole('checkbox', { name: /2FA enabled/ }))
  await user.clear(screen.getByLabelText('2FA expiry (days)'))
  if (entry !== '') await user.type(screen.getByLabelText('2FA expiry (days)'), entry)
}

async function fill(user: UserEvent): Promise<void> {
  await user.type(screen.getByLabelText('Email'), 'Niels@Example.com')
  await user.type(screen.getByLabelText('Full name'), ' Niels Example ')
}

function send(user: UserEvent): Promise<void> {
  return user.click(screen.getByRole('button', { name: 'Send Invitation' }))
}

function readIdempotencyKeys(): (string | null)[] {
  return api.calls(invitationsApi.create).map(({ headers }) => headers.get('Idempotency-Key'))
}

beforeEach(() => {
  const admin = anAdmin()
  signIn(admin)
  api = fakeApi()
    .on(authApi.me, () => admin)
    .on(authApi.delivery, () => ({ delivery: 'mail' as const }))
    .on(overviewApi.get, () => ({ attention: [], week: null, parts: [] }))
    .on(usersApi.list, () => aPage([]))
    .on(settingsApi.get, () => ({
      settings: { twoFactorExpiryDays: 14, twoFactorExpiryEnabled: false, dashboardBackgroundImage: null },
    }))
    .on(channelsApi.list, () => [aChannel(), aChannel({ _id: 'channel-2', name: 'Law' })])
  listInvitations()
})

describe('inviting', () => {
  it('warns beside the 2FA box, once it is checked, that the server cannot send email', async () => {
    api.on(authApi.delivery, () => ({ delivery: 'outbox' as const }))
    const user = await openForm()
    const fields = within(screen.getByRole('group', { name: 'Two-factor authentication' }))
    expect(fields.getByRole('checkbox')).toHaveProperty('checked', false)
    expect(fields.queryByText(/^This server cannot send email/)).toBeNull()
    await user.click(fields.getByRole('checkbox'))
    await fields.findByText(/^This server cannot send email/)
  })

  it('starts with the global 2FA settings', async () => {
    await openForm()
    screen.getByRole('dialog', { name: 'Invite New User' })
    expect(screen.getByRole('checkbox', { name: /2FA enabled/ })).toHaveProperty('checked', false)
    expect(screen.getByLabelText('2FA expiry (days)')).toHaveProperty('value', '14')
    expect(screen.getByLabelText('2FA expiry (days)')).toHaveProperty('disabled', true)
    screen.getByText('This user can sign in with just a password.')
  })

  it('sends the invitation and shows the new row', async () => {
    api.on(invitationsApi.create, () => anInvitation())
    const user = await openForm()
    await fill(user)
    await user.click(screen.getByRole('checkbox', { name: 'Law' }))
    await user.click(screen.getByRole('checkbox', { name: /2FA enabled/ }))
    listInvitations(anInvitation())
    await send(user)
    await screen.findByText('Invitation sent successfully')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await screen.findByText('niels@example.com')
    expect(api.calls(invitationsApi.create)[0]?.body).toEqual({
      role: 'user',
      email: 'niels@example.com',
      fullName: 'Niels Example',
      allowedChannels: ['channel-2'],
      twoFactorExpiryDays: 14,
      twoFactorExpiryEnabled: true,
    })
  })

  it('requires an email address and a name', async () => {
    const user = await openForm()
    await send(user)
    await screen.findByText('Invalid email address')
    screen.getByText('Full name is required')
    expect(api.unhandledCalls).toEqual([])
  })

  it.each([
    ['', 30],
    ['soon', 30],
    ['365', 365],
    ['1', 1],
  ])('reads %j days as %i', async (entry, days) => {
    api.on(invitationsApi.create, () => anInvitation())
    const user = await openForm()
    await fill(user)
    await enterDays(user, entry)
    await send(user)
    await screen.findByText('Invitation sent successfully')
    expect(api.calls(invitationsApi.create)[0]?.body.twoFactorExpiryDays).toBe(days)
  })

  it.each(['0', '366', '-1', '1.5'])('rejects %s days', async (entry) => {
    const user = await openForm()
    await fill(user)
    await enterDays(user, entry)
    await send(user)
    await screen.findByText(/From 1 to 365 days|A whole number of days/)
    expect(api.unhandledCalls).toEqual([])
  })

  it('shows the default in place of non-numeric input', async () => {
    const user = await openForm()
    await enterDays(user, '')
    await user.tab()
    expect(screen.getByLabelText('2FA expiry (days)')).toHaveProperty('value', '30')
  })

  it('searches channels without submitting the form', async () => {
    api.on(channelsApi.list, () =>
      Array.from({ length: 500 }, (_, at) => aChannel({ _id: `channel-${at}`, name: `Channel ${at}` })),
    )
    const user = await openForm()
    await fill(user)
    await user.type(await screen.findByRole('searchbox', { name: 'Search channels' }), 'l 499{Enter}')
    const list = screen.getByRole('group', { name: 'Channels' })
    expect(within(list).getAllByRole('checkbox')).toHaveLength(1)
    await user.click(within(list).getByRole('checkbox', { name: 'Channel 499' }))
    within(list).getByText('1 of 500 selected')
    expect(api.unhandledCalls).toEqual([])
  })

  it('shows the server’s message or a fallback, and keeps the input', async () => {
    api.on(invitationsApi.create, () => refuse('user.exists'))
    const user = await openForm()
    await fill(user)
    await send(user)
    await screen.findByText('A user with this email address already exists')
    api.on(invitationsApi.create, () => refuse('internal'))
    await send(user)
    await screen.findByText('Failed to send invitation')
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'Niels@Example.com')
  })

  it('uses the same idempotency key for a retry and a new one for other input', async () => {
    api.on(invitationsApi.create, () => {
      throw new NoNetwork()
    })
    const user = await openForm()
    await fill(user)
    await send(user)
    await screen.findByText('Failed to send invitation')
    await send(user)
    await waitFor(() => expect(readIdempotencyKeys()).toHaveLength(2))
    await user.type(screen.getByLabelText('Full name'), 'II')
    await send(user)
    await waitFor(() => expect(readIdempotencyKeys()).toHaveLength(3))
    const [first, second, third] = readIdempotencyKeys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('asks before it discards the input', async () => {
    const user = await openForm()
    await fill(user)
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('without a mail server', () => {
  async function expectLink(): Promise<void> {
    const dialog = await screen.findByRole('dialog', { name: 'Share this link' })
    expect(dialog.textContent).toContain('No mail server is configured')
    expect(dialog.textContent).toContain('outbox folder')
    expect(screen.getByLabelText('Link for Niels Example')).toHaveProperty('value', link)
  }

  it('shows the link of a new invitation with a copy button', async () => {
    api.on(invitationsApi.create, () => anInvitation({ link }))
    const user = await openForm()
    await fill(user)
    await send(user)
    await expectLink()
    screen.getByText('Invitation sent successfully')
    await user.click(screen.getByRole('button', { name: 'Copy the link' }))
    await screen.findAllByText('Copied')
    expect(await navigator.clipboard.readText()).toBe(link)
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks before it closes the dialog if the link was not copied', async () => {
    api.on(invitationsApi.create, () => anInvitation({ link }))
    const user = await openForm()
    await fill(user)
    await send(user)
    await expectLink()
    await user.keyboard('{Escape}')
    const question = within(
      await screen.findByRole('alertdialog', { name: 'Close without copying the link?' }),
    )
    await user.click(question.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await expectLink()
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows the link of a resent invitation', async () => {
    listInvitations(anInvitation())
    api.on(invitationsApi.resend, () => anInvitation({ link }))
    const user = visit()
    await user.click(await screen.findByRole('button', { name: 'Resend the invitation for Niels Example' }))
    await expectLink()
    screen.getByText('Invitation resent successfully')
  })
})

describe('invitation actions', () => {
  async function press(name: string): Promise<UserEvent> {
    const user = visit()
    await user.click(await screen.findByRole('button', { name }))
    return user
  }

  it('resends an invitation', async () => {
    listInvitations(anInvitation())
    api.on(invitationsApi.resend, () => anInvitation())
    await press('Resend the invitation for Niels Example')
    await screen.findByText('Invitation resent successfully')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.calls(invitationsApi.resend)[0]?.params).toEqual({ id: 'invitation-1' })
  })

  it.each([
    ['internal', 'Failed to resend invitation'],
    ['invitation.not_pending', 'Only a pending invitation can be changed'],
  ] as const)('shows the refusal %s and reloads the list', async (code, message) => {
    listInvitations(anInvitation())
    api.on(invitationsApi.resend, () => refuse(code))
    const user = visit()
    const button = await screen.findByRole('button', { name: 'Resend the invitation for Niels Example' })
    listInvitations(anInvitation({ status: 'accepted' }))
    await user.click(button)
    await screen.findByText(message)
    await screen.findByText('Accepted')
  })

  it('cancels a pending invitation after confirmation', async () => {
    listInvitations(anInvitation())
    api.on(invitationsApi.remove, () => ({ message: 'gone' }))
    const user = await press('Cancel the invitation for Niels Example')
    const dialog = await screen.findByRole('alertdialog', { name: 'Cancel this invitation?' })
    expect(dialog.textContent).toContain('niels@example.com')
    expect(api.calls(invitationsApi.remove)).toHaveLength(0)
    listInvitations()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel invitation' }))
    await screen.findByText('Invitation cancelled successfully')
    await screen.findByText('No pending invitations.')
  })

  it('keeps an invitation when not confirmed', async () => {
    listInvitations(anInvitation())
    const user = await press('Cancel the invitation for Niels Example')
    await user.click(await screen.findByRole('button', { name: 'Keep it' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.unhandledCalls).toEqual([])
  })

  it('deletes an expired invitation after confirmation', async () => {
    listInvitations(anInvitation({ status: 'expired' }))
    api.on(invitationsApi.remove, () => ({ message: 'gone' }))
    const user = await press('Delete the expired invitation for Niels Example')
    await screen.findByRole('alertdialog', { name: 'Delete this expired invitation?' })
    await user.click(screen.getByRole('button', { name: 'Delete invitation' }))
    await screen.findByText('Expired invitation deleted successfully')
  })

  it.each([
    ['pending', 'Cancel the invitation', 'Cancel invitation', 'Failed to cancel invitation'],
    ['expired', 'Delete the expired invitation', 'Delete invitation', 'Failed to delete expired invitation'],
  ] as const)('shows when removing a %s invitation failed', async (status, action, confirm, message) => {
    listInvitations(anInvitation({ status }))
    api.on(invitationsApi.remove, () => refuse('internal'))
    const user = await press(`${action} for Niels Example`)
    await user.click(await screen.findByRole('button', { name: confirm }))
    await screen.findByText(message)
  })
})

describe('inviting with a role', () => {
  it('is not offered to administrators who may not promote users', async () => {
    const { permissions } = anAdmin()
    const admin = anAdmin({ permissions: { ...permissions, canEditUsers: false } })
    signIn(admin)
    api.on(authApi.me, () => admin)
    await openForm()
    expect(screen.queryByLabelText('Role')).toBeNull()
  })

  it('sends the role and shows it in the table', async () => {
    api.on(invitationsApi.create, () => anInvitation({ role: 'admin' }))
    const user = await openForm()
    await fill(user)
    await user.selectOptions(screen.getByLabelText('Role'), 'Administrator')
    listInvitations(anInvitation({ role: 'admin' }))
    await send(user)
    await screen.findByText('as administrator')
    expect(api.calls(invitationsApi.create)[0]?.body.role).toBe('admin')
  })
})

describe('inviting several users', () => {
  async function openSeveral(): Promise<UserEvent> {
    const user = await openForm()
    await user.click(screen.getByRole('button', { name: 'Invite several users at once' }))
    return user
  }
  function sendSeveral(user: UserEvent): Promise<void> {
    return user.click(screen.getByRole('button', { name: 'Send Invitations' }))
  }

  it('explains several addresses in the field for one user, and takes them over', async () => {
    const user = await openForm()
    await user.type(screen.getByLabelText('Email'), 'ada@example.com, max@example.com')
    screen.getByText(/^These are several addresses/)
    await send(user)
    expect(screen.queryByText('Invalid email address')).toBeNull()
    screen.getByText(/^These are several addresses/)
    expect(api.calls(invitationsApi.create)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Invite several users at once' }))
    const field = screen.getByLabelText('Email addresses')
    expect(field).toHaveProperty('value', 'ada@example.com, max@example.com')
    expect(document.activeElement).toBe(field)
    await user.click(screen.getByRole('button', { name: 'Invite one user' }))
    await user.clear(screen.getByLabelText('Email'))
    await user.paste('grace@example.com')
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'grace@example.com')
  })

  it('switches to several users when several addresses are pasted', async () => {
    const user = await openForm()
    await user.click(screen.getByLabelText('Email'))
    await user.paste('ada@example.com\nmax@example.com')
    const field = await screen.findByLabelText('Email addresses')
    expect(field).toHaveProperty('value', 'ada@example.com\nmax@example.com')
    expect(document.activeElement).toBe(field)
  })

  it('names invalid addresses and sends nothing', async () => {
    const user = await openSeveral()
    await sendSeveral(user)
    await screen.findByText('Enter at least one email address')
    await user.type(screen.getByLabelText('Email addresses'), 'ada@example.com, nobody')
    await screen.findByText('Invalid email address: nobody')
    await sendSeveral(user)
    expect(api.calls(invitationsApi.createSeveral)).toEqual([])
  })

  it('shows what became of each address, and the links that no email delivers', async () => {
    const invited = anInvitation({ email: 'ada@example.com', link })
    api.on(invitationsApi.createSeveral, () => ({
      results: [
        { email: 'ada@example.com', invitation: invited, refusal: null },
        {
          email: 'bob@example.com',
          invitation: null,
          refusal: 'A user with this email address already exists',
        },
      ],
    }))
    const user = await openSeveral()
    await user.type(
      screen.getByLabelText('Email addresses'),
      'Ada Lovelace <ada@example.com>{enter}bob@example.com',
    )
    await sendSeveral(user)
    const dialog = within(await screen.findByRole('dialog', { name: '1 user invited, 1 not' }))
    within(dialog.getByRole('region', { name: 'Not invited' })).getByText(
      'A user with this email address already exists',
    )
    await user.click(dialog.getByRole('button', { name: `Copy the link for ${invited.fullName}` }))
    expect(await navigator.clipboard.readText()).toBe(link)
    await user.click(dialog.getByRole('button', { name: 'Copy all links' }))
    expect(await navigator.clipboard.readText()).toBe(`ada@example.com\t${link}`)
    expect(api.calls(invitationsApi.createSeveral)[0]?.body.invitees).toEqual([
      { email: 'ada@example.com', fullName: 'Ada Lovelace' },
      { email: 'bob@example.com', fullName: 'Bob' },
    ])
  })

  it('says that emails are not being sent', async () => {
    const words = 'The mail server did not accept the last email or connection. Emails wait until it does.'
    const failedAt = '2026-11-20T10:00:00.000Z'
    const parts = [{ part: 'mail' as const, words, failedAt }]
    api.on(overviewApi.get, () => ({ attention: [], week: null, parts }))
    visit()
    await screen.findByText(/^The mail server did not accept .* Last failure: /)
    expect(screen.getByRole('link', { name: 'Show the system status' }).getAttribute('href')).toContain(
      'mail',
    )
  })

  it('keeps the form and the key after a failure', async () => {
    api.on(invitationsApi.createSeveral, () => refuse('internal'))
    const user = await openSeveral()
    await user.type(screen.getByLabelText('Email addresses'), 'ada@example.com')
    await sendSeveral(user)
    await screen.findByText('Failed to send the invitations')
    await sendSeveral(user)
    await waitFor(() => expect(api.calls(invitationsApi.createSeveral)).toHaveLength(2))
    const keys = api.calls(invitationsApi.createSeveral).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\w-]{8,}$/)
  })
})
