import { render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TextView } from './TextView.tsx'

const text = {
  title: 'Manual',
  fileType: 'docx' as const,
  pages: [
    { page: 1, start: 0, text: 'The force grows' },
    { page: 2, start: 16, text: 'with the shift.' },
  ],
  total: 31,
}

describe('TextView', () => {
  const scrollIntoView = vi.fn()
  beforeEach(() => {
    scrollIntoView.mockClear()
    Element.prototype.scrollIntoView = scrollIntoView
  })

  it('marks a passage across pages and scrolls to it', () => {
    const { container } = render(<TextView text={text} charStart={4} charEnd={20} label="Text of Manual" />)
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
      'force grows',
      'with',
    ])
    expect(scrollIntoView).toHaveBeenCalledOnce()
    expect(screen.getByRole('region', { name: 'Text of Manual' }).textContent).toContain('with the shift.')
  })

  it('says that the passage is not in this part', () => {
    const { container } = render(<TextView text={text} charStart={400} charEnd={420} label="Text" />)
    expect(container.querySelector('mark')).toBeNull()
    expect(screen.getByRole('status').textContent).toContain('not in this part')
  })

  it('shows text without a passage unmarked', () => {
    const { container } = render(<TextView text={text} label="Text" />)
    expect(container.querySelector('mark')).toBeNull()
    expect(screen.queryByRole('status')).toBeNull()
  })
})
