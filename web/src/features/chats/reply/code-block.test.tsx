import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Reply } from './Reply.tsx'

describe('CodeBlock', () => {
  afterEach(() => vi.useRealTimers())

  it('highlights code once it stops growing, never parses it as HTML, and copies the source', async () => {
    const user = userEvent.setup()
    const { container } = render(<Reply text={'```python\nx = "<b>"  # [1]\n```'} />)
    expect(container.querySelectorAll('pre span')).toHaveLength(0)
    await waitFor(() => expect(container.querySelectorAll('pre span').length).toBeGreaterThan(1))
    expect(container.querySelector('pre')?.textContent).toBe('x = "<b>"  # [1]')
    await user.click(screen.getByRole('button', { name: 'Copy code, python' }))
    expect(await navigator.clipboard.readText()).toBe('x = "<b>"  # [1]')
    expect(screen.getByRole('status').textContent).toBe('Copied')
  })

  it('shows Copied for two seconds', async () => {
    vi.useFakeTimers()
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    render(<Reply text={'```\nx\n```'} />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy code' }))
    function pass(time: number): Promise<void> {
      return act(async () => {
        await vi.advanceTimersByTimeAsync(time)
      })
    }
    await pass(0)
    expect(screen.getByRole('status').textContent).toBe('Copied')
    await pass(1_900)
    expect(screen.getByRole('status').textContent).toBe('Copied')
    await pass(200)
    expect(screen.getByRole('status').textContent).toBe('')
    vi.unstubAllGlobals()
  })
})
