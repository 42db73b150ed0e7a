import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DialogResults } from './DialogResults.tsx'
import { Toaster } from './Toaster.tsx'
import { toast } from './toast.ts'

function advance(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
function findToast(): HTMLElement | null {
  return screen.queryByRole('listitem')
}

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

describe('Toaster', () => {
  it('shows a toast for 5000 ms and fades it out in 300 ms', () => {
    act(() => toast.success('Saved'))
    advance(4999)
    expect(findToast()?.className).not.toContain('opacity-0')
    advance(1)
    expect(findToast()?.className).toContain('opacity-0')
    advance(299)
    expect(findToast()).not.toBeNull()
    advance(1)
    expect(findToast()).toBeNull()
  })

  it('pauses the timer while hovered and then resumes it', () => {
    act(() => toast.info('Wait'))
    advance(3000)
    fireEvent.pointerEnter(screen.getByRole('region'))
    advance(60_000)
    expect(findToast()).not.toBeNull()
    fireEvent.pointerLeave(screen.getByRole('region'))
    advance(1999)
    expect(findToast()?.className).not.toContain('opacity-0')
    advance(1)
    expect(findToast()?.className).toContain('opacity-0')
  })

  it('pauses the timer while focused', () => {
    act(() => toast.info('Wait'))
    act(() => screen.getByRole('button', { name: 'Dismiss' }).focus())
    advance(60_000)
    expect(findToast()).not.toBeNull()
  })

  it('dismisses a toast', () => {
    act(() => toast.error('Failed'))
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    advance(300)
    expect(findToast()).toBeNull()
  })

  it('returns the focus when the focused toast is dismissed', () => {
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    act(() => toast.error('Failed'))
    const dismiss = screen.getByRole('button', { name: 'Dismiss' })
    act(() => dismiss.focus())
    fireEvent.click(dismiss)
    advance(300)
    expect(document.activeElement).toBe(field)
    field.remove()
  })

  it('announces errors as alerts and others as status', () => {
    act(() => {
      toast.success('Saved')
      toast.error('Failed')
    })
    expect(screen.getByRole('status').textContent).toBe('Saved')
    expect(screen.getByRole('alert').textContent).toBe('Failed')
  })

  it('removes a text for screen readers after the same time, and has no button for it', () => {
    act(() => toast.speak('Created'))
    expect(screen.getByRole('status').textContent).toBe('Created')
    expect(screen.queryByRole('button')).toBeNull()
    advance(5000)
    advance(300)
    expect(findToast()).toBeNull()
  })

  it('replaces an earlier toast about the same', () => {
    act(() => {
      toast.error('Not deleted', 'a')
      toast.error('Not deleted either', 'b')
      toast.success('Deleted', 'a')
    })
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Deleted',
      'Not deleted either',
    ])
  })

  it('ends the successes that have been seen when a dialog opens', () => {
    act(() => {
      toast.success('Renamed')
      toast.error('Not deleted')
    })
    advance(501)
    act(() => toast.success('Copied'))
    render(<DialogResults />)
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Copied', 'Not deleted'])
  })

  it('restarts the timer of a repeated toast instead of showing it twice', () => {
    act(() => toast.error('Failed'))
    advance(3000)
    act(() => toast.error('Failed'))
    advance(3000)
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
  })
})
