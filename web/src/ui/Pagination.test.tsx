import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { listPages, Pagination } from './Pagination.tsx'

describe('listPages', () => {
  it.each([
    [1, 1, [1]],
    [1, 5, [1, 2, 3, 4, 5]],
    [1, 10, [1, 2, 3, 4, 5, 'gap', 10]],
    [4, 10, [1, 2, 3, 4, 5, 'gap', 10]],
    [5, 10, [1, 'gap', 4, 5, 6, 'gap', 10]],
    [7, 10, [1, 'gap', 6, 7, 8, 9, 10]],
    [10, 10, [1, 'gap', 6, 7, 8, 9, 10]],
    [3, 6, [1, 2, 3, 4, 5, 6]],
  ])('lists the pages around page %d of %d', (page, total, shown) => {
    expect(listPages(page, total)).toEqual(shown)
  })
})

describe('Pagination', () => {
  it('renders nothing for a single page', () => {
    const { container } = render(<Pagination page={1} totalPages={1} onChange={vi.fn()} />)
    expect(container.childElementCount).toBe(0)
  })

  it('opens a page, the previous and the next one', async () => {
    const onChange = vi.fn()
    const user = userEvent.setup()
    render(<Pagination page={2} totalPages={3} onChange={onChange} />)
    expect(screen.getByRole('button', { name: 'Page 2' }).getAttribute('aria-current')).toBe('page')
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(onChange.mock.calls).toEqual([[3], [1], [3]])
  })

  it('disables Next on the last page', () => {
    const onChange = vi.fn()
    render(<Pagination page={3} totalPages={3} onChange={onChange} />)
    const next = screen.getByRole('button', { name: 'Next' })
    expect(next.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('false')
    // It may have the focus from leading to this page.
    next.focus()
    expect(document.activeElement).toBe(next)
    fireEvent.click(next)
    expect(onChange).not.toHaveBeenCalled()
  })
})
