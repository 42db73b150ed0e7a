import { authApi } from '@lyceum/contract/auth'
import { getPermissions } from '@lyceum/contract/permissions'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeApi } from '#testing/fake-transport.ts'
import { renderPage } from '#testing/render-page.tsx'
import { anAdmin, signIn } from '#testing/users.ts'
import { AdminHomePage } from './home.tsx'

const knownPaths = [
  '/admin/users',
  '/admin/documents',
  '/admin/channels',
  '/admin/chat-history',
  '/admin/settings',
]

function renderCards(admin = anAdmin(), known = knownPaths): (string | null)[] {
  fakeApi().on(authApi.me, () => admin)
  signIn(admin)
  renderPage(<AdminHomePage />, { at: '/admin', knownPaths: known })
  return screen.queryAllByRole('link').map((link) => link.getAttribute('href'))
}

describe('/admin', () => {
  it('shows only the cards that the administrator has permissions for', () => {
    expect(renderCards()).toEqual(['/admin/users', '/admin/documents', '/admin/channels', '/admin/settings'])
  })

  it('shows the chat history with canViewChatHistory', () => {
    const permissions = getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canViewChatHistory: true },
    })
    expect(renderCards(anAdmin({ permissions }))).toContain('/admin/chat-history')
  })

  it('omits areas without a route', () => {
    expect(renderCards(anAdmin(), ['/admin/channels'])).toEqual(['/admin/channels'])
  })

  it('shows an empty state without any area', () => {
    expect(renderCards(anAdmin(), [])).toEqual([])
    screen.getByText('You don’t have access to any admin area yet.')
  })
})
