import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NoticeBanner, noticeLifetimeMs } from './NoticeBanner.tsx'
import { notice } from './notice.ts'

beforeEach(() => void vi.useFakeTimers())

function pass(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}
function say(text: string): void {
  act(() => notice.success(text))
}

describe('NoticeBanner', () => {
  it('goes after three seconds', () => {
    render(<NoticeBanner />)
    say('Done')
    pass(noticeLifetimeMs - 1)
    screen.getByText('Done')
    pass(1)
    expect(screen.queryByText('Done')).toBeNull()
    expect(noticeLifetimeMs).toBe(3000)
  })

  it('gives a later notice its own three seconds', () => {
    render(<NoticeBanner />)
    say('First')
    pass(2000)
    act(() => notice.error('Second'))
    pass(2000)
    expect(screen.queryByText('First')).toBeNull()
    expect(screen.getByRole('alert').textContent).toBe('Second')
    pass(1000)
    expect(screen.queryByText('Second')).toBeNull()
  })

  it('waits while it is pointed at, and can be dismissed', () => {
    render(<NoticeBanner />)
    say('Done')
    fireEvent.pointerEnter(screen.getByRole('region', { name: 'Result' }))
    pass(60_000)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Done')).toBeNull()
  })

  it('speaks from the window over the screen', () => {
    const { rerender } = render(<NoticeBanner />)
    rerender(
      <>
        <NoticeBanner />
        <div role="dialog">
          <NoticeBanner />
        </div>
      </>,
    )
    say('Done')
    expect(screen.getByText('Done').closest('[role=dialog]')).not.toBeNull()
  })

  it('does not say to a later screen what an earlier one was told', () => {
    const { unmount } = render(<NoticeBanner />)
    say('Done')
    unmount()
    render(<NoticeBanner />)
    expect(screen.queryByText('Done')).toBeNull()
  })
})
