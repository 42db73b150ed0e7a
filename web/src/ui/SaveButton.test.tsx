import { act, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SaveButton } from './SaveButton.tsx'

const onSubmit = vi.fn<() => void>()

function show(isChanged: boolean): HTMLElement {
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <input aria-label="Name" />
      <SaveButton isChanged={isChanged}>Save</SaveButton>
    </form>,
  )
  return screen.getByRole('button', { name: 'Save' })
}

beforeEach(() => {
  onSubmit.mockReset()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('SaveButton', () => {
  it('says why it is not available while nothing is changed', () => {
    const button = show(false)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.getAttribute('aria-description')).toBe('Nothing to save')
    expect(button.getAttribute('title')).toBe('Nothing to save')
  })

  it.each(['a press', 'the Enter key'])('saves nothing and shows the reason after %s', async (way) => {
    const button = show(false)
    const user = userEvent.setup()
    if (way === 'a press') await user.click(button)
    else await user.type(screen.getByLabelText('Name'), '{Enter}')
    screen.getByText('Nothing to save')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('hides the reason after three seconds', () => {
    vi.useFakeTimers()
    fireEvent.click(show(false))
    act(() => vi.advanceTimersByTime(2999))
    screen.getByText('Nothing to save')
    act(() => vi.advanceTimersByTime(1))
    expect(screen.queryByText('Nothing to save')).toBeNull()
  })

  it('submits a changed form without a reason', async () => {
    const button = show(true)
    expect(button.hasAttribute('title')).toBe(false)
    expect(button.hasAttribute('aria-description')).toBe(false)
    await userEvent.setup().click(button)
    expect(onSubmit).toHaveBeenCalledOnce()
    expect(screen.queryByText('Nothing to save')).toBeNull()
  })
})
