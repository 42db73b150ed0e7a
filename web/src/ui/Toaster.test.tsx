import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Toaster } from './Toaster.tsx'
import { toast } from './toast.ts'

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
function row(): HTMLElement | null {
  return screen.queryByRole('listitem')
}

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

describe('Toaster', () => {
  it('shows a toast for 5000 ms and fades it out in 300 ms', () => {
    act(() => toast.success('Saved'))
    pass(4999)
    expect(row()?.className).not.toContain('opacity-0')
    pass(1)
    expect(row()?.className).toContain('opacity-0')
    pass(299)
    expect(row()).not.toBeNull()
    pass(1)
    expect(row()).toBeNull()
  })

  it('pauses the timer while hovered and then resumes it', () => {
    act(() => toast.info('Wait'))
    pass(3000)
    fireEvent.pointerEnter(screen.getByRole('region'))
    pass(60_000)
    expect(row()).not.toBeNull()
    fireEvent.pointerLeave(screen.getByRole('region'))
    pass(1999)
    expect(row()?.className).not.toContain('opacity-0')
    pass(1)
    expect(row()?.className).toContain('opacity-0')
  })

  it('pauses the timer while focused', () => {
    act(() => toast.info('Wait'))
    act(() => screen.getByRole('button', { name: 'Dismiss' }).focus())
    pass(60_000)
    expect(row()).not.toBeNull()
  })

  it('dismisses a toast', () => {
    act(() => toast.error('Failed'))
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    pass(300)
    expect(row()).toBeNull()
  })

  it('announces errors as alerts and others as status', () => {
    act(() => {
      toast.success('Saved')
      toast.error('Failed')
    })
    expect(screen.getByRole('status').textContent).toBe('Saved')
    expect(screen.getByRole('alert').textContent).toBe('Failed')
  })

  it('restarts the timer of a repeated toast instead of showing it twice', () => {
    act(() => toast.error('Failed'))
    pass(3000)
    act(() => toast.error('Failed'))
    pass(3000)
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
  })
})
