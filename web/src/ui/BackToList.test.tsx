import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { BrowserRouter } from '#lib/router.tsx'
import { BackToList } from './BackToList.tsx'

it('leads to the list with the search from which the entry was opened', () => {
  history.replaceState({ list: '?search=sal' }, '', '/admin/groups/group-1')
  render(
    <BrowserRouter>
      <BackToList path="/admin/groups" />
    </BrowserRouter>,
  )
  const link = screen.getByRole('link', { name: 'Back to the list' })
  expect(link.getAttribute('href')).toBe('/admin/groups?search=sal')
})
