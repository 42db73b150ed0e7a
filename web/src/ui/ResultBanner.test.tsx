import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { banner } from './banner.ts'
import { bannerLifetimeMs, ResultBanner } from './ResultBanner.tsx'

beforeEach(() => void vi.useFakeTimers())

function pass(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}
function say(text: string): void {
  act(() => banner.success(text))
}

describe('ResultBanner', () => {
  it('goes after three seconds', () => {
    render(<ResultBanner />)
    say('Done')
    pass(bannerLifetimeMs - 1)
    screen.getByText('Done')
    pass(1)
    expect(screen.queryByText('Done')).toBeNull()
    expect(bannerLifetimeMs).toBe(3000)
  })

  it('gives a later notice its own three seconds', () => {
    render(<ResultBanner />)
    say('First')
    pass(2000)
    act(() => banner.error('Second'))
    pass(2000)
    expect(screen.queryByText('First')).toBeNull()
    expect(screen.getByRole('alert').textContent).toBe('Second')
    pass(1000)
    expect(screen.queryByText('Second')).toBeNull()
  })

  it('waits while it is pointed at, and can be dismissed', () => {
    render(<ResultBanner />)
    say('Done')
    fireEvent.pointerEnter(screen.getByRole('region', { name: 'Result' }))
    pass(60_000)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('speaks from the window over the screen', () => {
    const { rerender } = render(<ResultBanner />)
    rerender(
      <>
        <ResultBanner />
        <div role="dialog">
          <ResultBanner />
        </div>
      </>,
    )
    say('Done')
    expect(screen.getByText('Done').closest('[role=dialog]')).not.toBeNull()
  })

  it('does not say to a later screen what an earlier one was told', () => {
    const { unmount } = render(<ResultBanner />)
    say('Done')
    unmount()
    render(<ResultBanner />)
    expect(screen.queryByText('Done')).toBeNull()
  })
})
