import { type AuditEntry, auditApi } from '@lyceum/contract/audit'
import { authApi } from '@lyceum/contract/auth'
import { getPermissions } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { saveFile } from '#lib/save-file.ts'
import { refuse } from '#testing/fake-api.ts'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { aListedUser, aPage } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { AuditLogPage } from './audit-log.tsx'

vi.mock('#lib/save-file.ts', () => ({ saveFile: vi.fn() }))

function anEntry(change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    _id: 'entry-1',
    at: '2026-11-21T09:00:00.000Z',
    actor: { _id: 'admin-1', name: 'Grace Example', email: 'grace@example.com' },
    action: 'user.renamed',
    object: { type: 'user', _id: 'user-1', name: 'Ada Example' },
    result: 'ok',
    ip: '203.0.113.9',
    userAgent: 'Firefox',
    before: { name: 'Ada Example' },
    after: { name: 'Ada Lovelace' },
    ...change,
  }
}

function anAuditPage(items: AuditEntry[], total = items.length) {
  return {
    ...aPage(items, total, 25),
    asOf: 41,
    hasMore: false,
  }
}

function setUp(at = '/admin/audit-log', isSystemAdmin = true) {
  const overrides = { canViewAuditLog: true, canManageUsers: false }
  const permissions = getPermissions({ role: 'admin', isSystemAdmin, overrides })
  const viewer = anAdmin({ isSystemAdmin, permissions })
  const api = fakeApi()
  api.on(authApi.me, () => viewer)
  api.on(usersApi.list, () => aPage([aListedUser()]))
  signIn(viewer)
  return { api, visit: () => renderPage(<AuditLogPage />, { at, path: '/admin/audit-log' }) }
}

describe('/admin/audit-log', () => {
  it('shows actor, action and object, and the details when opened', async () => {
    const { api, visit } = setUp()
    api.on(auditApi.list, () =>
      anAuditPage([
        anEntry(),
        anEntry({ _id: 'entry-2', actor: null, action: 'sign-in.failed', result: 'failed' }),
      ]),
    )
    const { user } = visit()
    const row = await screen.findByRole('row', { name: /Grace Example/ })
    for (const text of ['User renamed', 'Ada Example', 'Done', '203.0.113.9']) within(row).getByText(text)
    within(screen.getByRole('row', { name: /Sign-in failed/ })).getByText('Not signed in')
    expect(screen.queryByText('Ada Lovelace')).toBeNull()
    const details = within(row).getByRole('button', { name: /^Details/ })
    await user.click(details)
    expect(details.getAttribute('aria-expanded')).toBe('true')
    screen.getByText('Ada Lovelace')
    screen.getByText('Firefox')
    await user.click(details)
    expect(screen.queryByText('Ada Lovelace')).toBeNull()
  })

  it('keeps the filters in the URL and sends them', async () => {
    const { api, visit } = setUp('/admin/audit-log?area=documents&from=2026-11-01&to=2026-11-02')
    api.on(auditApi.list, () => anAuditPage([]))
    const { user, address } = visit()
    await screen.findByText('No entries match these filters.')
    expect(api.calls(auditApi.list).at(-1)?.query).toMatchObject({
      area: 'documents',
      startDate: new Date('2026-11-01T00:00:00').toISOString(),
      endDate: new Date('2026-11-02T23:59:59.999').toISOString(),
    })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'Denied')
    await waitFor(() => expect(address()).toContain('result=denied'))
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/admin/audit-log'))
    await screen.findByText('No entries found.')
  })

  it('empties a date that was not applied when the filters are cleared', async () => {
    const { api, visit } = setUp('/admin/audit-log?area=documents')
    api.on(auditApi.list, () => anAuditPage([]))
    const { user } = visit()
    await user.type(await screen.findByLabelText('From'), '0202-11-20{Enter}')
    screen.getByText('Enter a complete date.')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(screen.queryByText('Enter a complete date.')).toBeNull())
    expect(screen.getByLabelText('From')).toHaveProperty('value', '')
  })

  it('counts the filters on the button that opens them on narrow screens', async () => {
    const { api, visit } = setUp('/admin/audit-log?area=documents&from=2026-11-01')
    api.on(auditApi.list, () => anAuditPage([]))
    const { user } = visit()
    const button = await screen.findByRole('button', { name: 'Filters (2)' })
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await user.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('false')
    const filters = document.getElementById(button.getAttribute('aria-controls') ?? '')
    expect(filters?.className).toContain('max-lg:hidden')
  })

  it('filters by a user found by search', async () => {
    const { api, visit } = setUp()
    api.on(auditApi.list, () => anAuditPage([anEntry()]))
    const { user, address } = visit()
    await user.click(await screen.findByRole('combobox', { name: 'User' }))
    await user.click(await screen.findByRole('option', { name: 'Ada Example (ada@example.com)' }))
    await waitFor(() => expect(api.calls(auditApi.list).at(-1)?.query.actorId).toBe('user-1'))
    expect(address()).toBe('/admin/audit-log?user=user-1')
  })

  it('filters by an entry’s actor without canManageUsers', async () => {
    const { api, visit } = setUp('/admin/audit-log', false)
    api.on(auditApi.list, () => anAuditPage([anEntry()]))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: /^Details/ }))
    expect(screen.queryByRole('combobox', { name: 'User' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show only this user' }))
    await waitFor(() => expect(api.calls(auditApi.list).at(-1)?.query.actorId).toBe('admin-1'))
  })

  it('keeps asOf while paging and drops it on page 1', async () => {
    const { api, visit } = setUp()
    api.on(auditApi.list, () => anAuditPage([anEntry()], 60))
    const { user, address } = visit()
    await user.click(await screen.findByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(api.calls(auditApi.list).at(-1)?.query).toMatchObject({ skip: 25, asOf: 41 }))
    expect(address()).toBe('/admin/audit-log?page=2&asOf=41')
    await user.click(screen.getByRole('button', { name: 'Page 1' }))
    await waitFor(() => expect(address()).toBe('/admin/audit-log'))
  })

  it('shows an error when it cannot be loaded, and retries', async () => {
    const { api, visit } = setUp()
    api.on(auditApi.list, () => refuse('server.busy'))
    const { user } = visit()
    await screen.findByText('The audit log could not be loaded.')
    const before = api.calls(auditApi.list).length
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(api.calls(auditApi.list).length).toBeGreaterThan(before))
  })

  it('exports the filtered entries', async () => {
    const { api, visit } = setUp('/admin/audit-log?area=people')
    api.on(auditApi.list, () => anAuditPage([anEntry()]))
    api.on(auditApi.export, () => new Blob(['time,actor\r\n'], { type: 'text/csv' }))
    const { user } = visit()
    await user.click(await screen.findByRole('button', { name: 'Export as CSV' }))
    await screen.findByText('Audit log exported')
    expect(api.calls(auditApi.export).at(-1)?.query).toMatchObject({ area: 'people', format: 'csv' })
    expect(vi.mocked(saveFile).mock.lastCall?.[1]).toBe('audit-log.csv')
  })

  it('keeps the focus on the pressed button while it exports, and exports once', async () => {
    const { api, visit } = setUp()
    api.on(auditApi.list, () => anAuditPage([anEntry()]))
    const file = Promise.withResolvers<Blob>()
    api.on(auditApi.export, () => file.promise)
    const { user } = visit()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Export as CSV' })
    const other = screen.getByRole<HTMLButtonElement>('button', { name: 'Export as JSON Lines' })
    await user.click(button)
    await screen.findByText('Preparing…')
    // Browsers move the focus from a disabled button to the page.
    expect(button.disabled).toBe(false)
    expect(button.ariaBusy).toBe('true')
    expect(document.activeElement).toBe(button)
    await user.click(button)
    await user.click(other)
    expect(other.getAttribute('aria-disabled')).toBe('true')
    file.resolve(new Blob(['time,actor\r\n'], { type: 'text/csv' }))
    await screen.findByText('Audit log exported')
    expect(api.calls(auditApi.export)).toHaveLength(1)
  })

  it('exports nothing if no entry is found, and says why', async () => {
    const { api, visit } = setUp()
    api.on(auditApi.list, () => anAuditPage([]))
    const { user } = visit()
    for (const name of ['Export as CSV', 'Export as JSON Lines']) {
      const button = await screen.findByRole('button', {
        name,
        description: 'There are no entries to export.',
      })
      expect(button.getAttribute('aria-disabled')).toBe('true')
      await user.click(button)
    }
    expect(api.calls(auditApi.export)).toHaveLength(0)
  })
})
