import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { actionLifetimeMs, banner } from './banner.ts'
import { bannerLifetimeMs, ResultBanner } from './ResultBanner.tsx'

beforeEach(() => void vi.useFakeTimers())

function advance(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}
function show(text: string): void {
  act(() => banner.success(text))
}

describe('ResultBanner', () => {
  it('disappears after three seconds', () => {
    render(<ResultBanner />)
    show('Done')
    advance(bannerLifetimeMs - 1)
    screen.getByText('Done')
    advance(1)
    expect(screen.queryByText('Done')).toBeNull()
    expect(bannerLifetimeMs).toBe(3000)
  })

  it('shows a later result for another three seconds', () => {
    render(<ResultBanner />)
    show('First')
    advance(2000)
    act(() => banner.error('Second'))
    advance(2000)
    expect(screen.queryByText('First')).toBeNull()
    expect(screen.getByRole('alert').textContent).toBe('Second')
    advance(1000)
    expect(screen.queryByText('Second')).toBeNull()
  })

  it('pauses while hovered, and can be dismissed', () => {
    render(<ResultBanner />)
    show('Done')
    fireEvent.pointerEnter(screen.getByRole('region', { name: 'Result' }))
    advance(60_000)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('only announces what the page shows', () => {
    render(<ResultBanner />)
    act(() => banner.announce('Done'))
    expect(screen.getByText('Done').className).toBe('sr-only')
    expect(screen.queryByRole('button')).toBeNull()
    advance(bannerLifetimeMs)
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('offers an action for ten seconds, and pauses while it is focused', () => {
    render(<ResultBanner />)
    const run = vi.fn()
    act(() => banner.success('Rejected', { action: { label: 'Undo', run, returnFocus: () => null } }))
    expect(screen.getByRole('status').textContent).toBe('RejectedUndo')
    advance(actionLifetimeMs - 1)
    const undo = screen.getByRole('button', { name: 'Undo' })
    act(() => undo.focus())
    advance(60_000)
    act(() => undo.blur())
    advance(actionLifetimeMs)
    expect(screen.queryByText('Rejected')).toBeNull()
    expect([actionLifetimeMs, run.mock.calls]).toEqual([10_000, []])
  })

  it('returns the focus to where it was when it is dismissed', () => {
    render(
      <>
        <button type="button">Row</button>
        <ResultBanner />
      </>,
    )
    const row = screen.getByRole('button', { name: 'Row' })
    row.focus()
    act(() => banner.error('Not saved'))
    const dismiss = screen.getByRole('button', { name: 'Dismiss' })
    act(() => dismiss.focus())
    fireEvent.click(dismiss)
    expect(document.activeElement).toBe(row)
  })

  it('goes away with Escape and leaves a dialog around it open', () => {
    const dismissDialog = vi.fn()
    document.addEventListener('keydown', dismissDialog)
    render(
      <>
        <button type="button">Row</button>
        <ResultBanner />
      </>,
    )
    const row = screen.getByRole('button', { name: 'Row' })
    const action = { label: 'Undo', run: vi.fn(), returnFocus: () => row }
    act(() => banner.success('Rejected', { action }))
    fireEvent.keyDown(row, { key: 'Escape' })
    screen.getByText('Rejected')
    const undo = screen.getByRole('button', { name: 'Undo' })
    act(() => undo.focus())
    fireEvent.keyDown(undo, { key: 'Escape' })
    expect(screen.queryByText('Rejected')).toBeNull()
    expect(document.activeElement).toBe(row)
    expect([action.run.mock.calls, dismissDialog.mock.calls.length]).toEqual([[], 1])
    document.removeEventListener('keydown', dismissDialog)
  })

  it.each(['Undo', 'Dismiss'])('returns the focus after %s', (name) => {
    render(
      <>
        <button type="button">Row</button>
        <ResultBanner />
      </>,
    )
    const run = vi.fn()
    const row = screen.getByRole('button', { name: 'Row' })
    act(() => banner.success('Rejected', { action: { label: 'Undo', run, returnFocus: () => row } }))
    const button = screen.getByRole('button', { name })
    act(() => button.focus())
    fireEvent.click(button)
    expect(screen.queryByText('Rejected')).toBeNull()
    expect(document.activeElement).toBe(row)
    expect(run).toHaveBeenCalledTimes(name === 'Undo' ? 1 : 0)
  })

  it('shows results in the dialog above the page', () => {
    const { rerender } = render(<ResultBanner />)
    rerender(
      <>
        <ResultBanner />
        <div role="dialog">
          <ResultBanner isInDialog />
        </div>
      </>,
    )
    show('Done')
    expect(screen.getByText('Done').closest('[role=dialog]')).not.toBeNull()
  })

  describe('when a dialog opens', () => {
    function openDialog(age: number): void {
      const { rerender } = render(<ResultBanner />)
      advance(age)
      rerender(
        <>
          <ResultBanner />
          <div role="dialog">
            <ResultBanner isInDialog />
          </div>
        </>,
      )
    }

    it('ends a success that has been seen', () => {
      show('Done')
      openDialog(501)
      expect(screen.queryByText('Done')).toBeNull()
    })

    it.each([
      ['a success that has not been seen', 500, () => banner.success('Kept')],
      ['a failure', 2000, () => banner.error('Kept')],
      ['a warning', 2000, () => banner.success('Kept', { warning: 'No mail was sent' })],
      [
        'an action',
        2000,
        () => banner.success('Kept', { action: { label: 'Undo', run: vi.fn(), returnFocus: () => null } }),
      ],
    ])('shows %s in it', (_, age, report) => {
      act(report)
      openDialog(age)
      expect(screen.getByText('Kept').closest('[role=dialog]')).not.toBeNull()
    })
  })

  it('does not start again when a dialog takes the result over', () => {
    const { rerender } = render(<ResultBanner />)
    act(() => banner.error('Not saved'))
    advance(2000)
    rerender(
      <>
        <ResultBanner />
        <ResultBanner isInDialog />
      </>,
    )
    advance(999)
    screen.getByText('Not saved')
    advance(1)
    expect(screen.queryByText('Not saved')).toBeNull()
  })

  it('keeps the focus in a dialog', () => {
    render(
      <>
        <button type="button">Row</button>
        <div role="dialog" tabIndex={-1}>
          <button type="button">Close</button>
          <ResultBanner isInDialog />
        </div>
      </>,
    )
    const row = screen.getByRole('button', { name: 'Row' })
    const action = { label: 'Undo', run: vi.fn(), returnFocus: () => row }
    act(() => banner.success('Rejected', { action }))
    const close = screen.getByRole('button', { name: 'Close' })
    close.focus()
    const undo = screen.getByRole('button', { name: 'Undo' })
    act(() => undo.focus())
    fireEvent.click(undo)
    expect(document.activeElement).toBe(close)
    expect(action.run).toHaveBeenCalledTimes(1)
  })

  it('does not show again what was seen before its page was left with a dialog', () => {
    const { unmount } = render(
      <>
        <ResultBanner />
        <ResultBanner isInDialog />
      </>,
    )
    show('Done')
    advance(501)
    unmount()
    render(<ResultBanner />)
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('does not show the result of an earlier screen', () => {
    const { unmount } = render(<ResultBanner />)
    show('Done')
    advance(501)
    unmount()
    render(<ResultBanner />)
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('shows on the next screen what was reported as the last one closed, but not long after', () => {
    const first = render(<ResultBanner />)
    show('Deleted')
    first.unmount()
    const second = render(<ResultBanner />)
    screen.getByText('Deleted')
    advance(bannerLifetimeMs)
    expect(screen.queryByText('Deleted')).toBeNull()
    show('Done')
    second.unmount()
    advance(actionLifetimeMs)
    render(<ResultBanner />)
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('offers an action on the next screen, but not long after', () => {
    const action = { label: 'Undo', run: vi.fn(), returnFocus: () => null }
    const { unmount } = render(<ResultBanner />)
    act(() => banner.success('Rejected', { action }))
    advance(actionLifetimeMs - 1)
    unmount()
    advance(actionLifetimeMs - 1)
    const next = render(<ResultBanner />)
    screen.getByRole('button', { name: 'Undo' })
    next.unmount()
    advance(actionLifetimeMs)
    render(<ResultBanner />)
    expect(screen.queryByText('Rejected')).toBeNull()
  })
})
