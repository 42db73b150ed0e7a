import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SaveButton } from './SaveButton.tsx'

const onSubmit = vi.fn<() => void>()

function Form({ isChanged }: { isChanged: boolean }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <input aria-label="Name" />
      <SaveButton isChanged={isChanged}>Save</SaveButton>
    </form>
  )
}

beforeEach(() => {
  onSubmit.mockReset()
})

describe('SaveButton', () => {
  it('says why it is not available while nothing is changed', () => {
    render(<Form isChanged={false} />)
    const button = screen.getByRole('button', { name: 'Save' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.getAttribute('aria-description')).toBe('Nothing to save')
    expect(screen.getByText('Nothing to save').className).not.toContain('invisible')
  })

  it.each(['a press', 'the Enter key'])('saves nothing after %s', async (way) => {
    render(<Form isChanged={false} />)
    const user = userEvent.setup()
    if (way === 'a press') await user.click(screen.getByRole('button', { name: 'Save' }))
    else await user.type(screen.getByLabelText('Name'), '{Enter}')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('keeps only the place of the reason once something is changed, and submits', async () => {
    const { rerender } = render(<Form isChanged={false} />)
    rerender(<Form isChanged />)
    expect(screen.getByText('Nothing to save').className).toContain('invisible')
    const button = screen.getByRole('button', { name: 'Save' })
    expect(button.hasAttribute('aria-description')).toBe(false)
    await userEvent.setup().click(button)
    expect(onSubmit).toHaveBeenCalledOnce()
  })

  it('says the reason behind all buttons, so that none moves when it disappears', () => {
    render(<Form isChanged={false} />)
    expect(screen.getByText('Nothing to save').classList).toContain('not-in-[footer]:order-last')
  })

  it('has no place for a reason in a form that can be sent unchanged', () => {
    render(<Form isChanged />)
    expect(screen.queryByText('Nothing to save')).toBeNull()
  })
})
