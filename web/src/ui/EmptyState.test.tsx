import { render, screen } from '@testing-library/react'
import { SearchX } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { EmptyState } from './EmptyState.tsx'

function Page({ isEmpty, role }: { isEmpty: boolean; role?: 'dialog' }) {
  return (
    <main id="main" tabIndex={-1}>
      <div role={role} tabIndex={-1} data-testid="part">
        {isEmpty && (
          <EmptyState icon={SearchX} action={<button type="button">Show all</button>}>
            Nothing found.
          </EmptyState>
        )}
        <button type="button">Other</button>
      </div>
    </main>
  )
}

describe('EmptyState', () => {
  it.each([
    [undefined, 'main'],
    ['dialog', 'part'],
  ] as const)('gives the focus of its action to the page or dialog (role %s)', (role, name) => {
    const props = role === undefined ? {} : { role }
    const { rerender } = render(<Page isEmpty {...props} />)
    screen.getByRole('button', { name: 'Show all' }).focus()
    rerender(<Page isEmpty={false} {...props} />)
    const part = name === 'main' ? screen.getByRole('main') : screen.getByTestId('part')
    expect(document.activeElement).toBe(part)
  })

  it('leaves the focus where it is if it is elsewhere', () => {
    const { rerender } = render(<Page isEmpty />)
    const other = screen.getByRole('button', { name: 'Other' })
    other.focus()
    rerender(<Page isEmpty={false} />)
    expect(document.activeElement).toBe(other)
  })
})
