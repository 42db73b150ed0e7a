import type { Citation } from '@lyceum/contract/citations'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { Reply } from './Reply.tsx'

const manual: Citation = {
  n: 1,
  documentId: 'd1',
  title: 'Manual.pdf',
  fileType: 'pdf',
  page: 12,
  headingPath: ['Springs'],
  charStart: 0,
  charEnd: 20,
  quote: 'The force grows with the shift.',
  available: true,
}
const gone: Citation = {
  ...manual,
  n: 2,
  title: 'Old.docx',
  page: null,
  headingPath: ['A', 'B'],
  available: false,
}

describe('citations', () => {
  it('turns a number into a button that opens the source', async () => {
    const open = vi.fn()
    render(<Reply text="It grows [1]." citations={[manual]} onOpenCitation={open} />)
    await userEvent.click(screen.getByRole('button', { name: 'Source 1: Manual.pdf, page 12' }))
    expect(open).toHaveBeenCalledExactlyOnceWith(manual, [manual])
    await userEvent.click(within(screen.getByRole('list', { name: 'Sources' })).getByRole('button'))
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('shows the passage on focus and hides it on Escape', async () => {
    render(<Reply text="It grows [1]." citations={[manual]} />)
    await userEvent.tab()
    const passage = screen.getByRole('tooltip')
    expect(passage.textContent).toContain('page 12')
    expect(passage.textContent).toContain(manual.quote)
    expect(document.activeElement?.getAttribute('aria-describedby')).toBe(passage.id)
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip')).toBeNull()
  })

  it('shows the passage on hover', async () => {
    render(<Reply text="It grows [1]." citations={[manual]} />)
    await userEvent.hover(screen.getAllByRole('button')[0] as HTMLElement)
    expect(screen.getByRole('tooltip').textContent).toContain(manual.quote)
    // Escape works without focus and does not reach other handlers.
    const handleKeyDown = vi.fn()
    document.addEventListener('keydown', handleKeyDown)
    await userEvent.keyboard('{Escape}')
    document.removeEventListener('keydown', handleKeyDown)
    expect(screen.queryByRole('tooltip')).toBeNull()
    expect(handleKeyDown).not.toHaveBeenCalled()
  })

  it('does not show the passage when the source closes below a pointer that has not moved', async () => {
    render(<Reply text="It grows [1]." citations={[manual]} onOpenCitation={() => undefined} />)
    const target = screen.getAllByRole('button')[0] as HTMLElement
    const user = userEvent.setup()
    await user.pointer([{ target, coords: { x: 10, y: 10 } }, { keys: '[MouseLeft]' }])
    // The source covers the number, and uncovers it when it closes.
    await user.pointer([
      { target: document.body, coords: { x: 10, y: 10 } },
      { target, coords: { x: 10, y: 10 } },
    ])
    expect(screen.queryByRole('tooltip')).toBeNull()
    await user.pointer([
      { target: document.body, coords: { x: 90, y: 90 } },
      { target, coords: { x: 12, y: 10 } },
    ])
    expect(screen.getByRole('tooltip').textContent).toContain(manual.quote)
  })

  it('says that a document was deleted and does not open it', async () => {
    const open = vi.fn()
    render(<Reply text="It grew [2]." citations={[gone]} onOpenCitation={open} />)
    await userEvent.click(screen.getByRole('button', { name: 'Source 2: Old.docx, A › B, deleted' }))
    expect(screen.getByRole('tooltip').textContent).toContain('was deleted')
    expect(open).not.toHaveBeenCalled()
  })

  it('ignores numbers without a source, code and escaped brackets', () => {
    const { container } = render(
      <Reply text={'See [7], `a[1]` and \\[1\\].\n\n```\nb[1]\n```'} citations={[manual]} />,
    )
    const reply = container.querySelector('p') as HTMLElement
    expect(reply.textContent).toBe('See [7], a[1] and 1.')
    expect(within(reply).getAllByRole('button')).toHaveLength(1)
    expect(container.querySelector('pre')?.textContent).toBe('b[1]')
  })

  it('prefers a citation to a link reference of the same number', () => {
    const text = 'See [1] and [2].\n\n[1]: https://a.example\n[2]: https://b.example'
    const { container } = render(<Reply text={text} citations={[manual]} />)
    expect([...container.querySelectorAll('a')].map(({ href }) => href)).toEqual(['https://b.example/'])
  })

  it('lists the sources only once the reply is finished', () => {
    const { rerender } = render(<Reply text="It grows [1]." citations={[manual, gone]} streaming />)
    expect(screen.queryByRole('list', { name: 'Sources' })).toBeNull()
    rerender(<Reply text="It grows [1]." citations={[manual, gone]} />)
    expect(within(screen.getByRole('list', { name: 'Sources' })).getAllByRole('listitem')).toHaveLength(2)
  })
})
