import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { banner } from './banner.ts'
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

  it('shows results in the dialog above the page', () => {
    const { rerender } = render(<ResultBanner />)
    rerender(
      <>
        <ResultBanner />
        <div role="dialog">
          <ResultBanner />
        </div>
      </>,
    )
    show('Done')
    expect(screen.getByText('Done').closest('[role=dialog]')).not.toBeNull()
  })

  it('does not show the result of an earlier screen', () => {
    const { unmount } = render(<ResultBanner />)
    show('Done')
    unmount()
    render(<ResultBanner />)
    expect(screen.queryByText('Done')).toBeNull()
  })
})
