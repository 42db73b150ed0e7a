import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { PasswordInput } from './PasswordInput.tsx'

it('masks the password until it is revealed, and accepts a pasted one', async () => {
  const user = userEvent.setup()
  render(<PasswordInput aria-label="Password" />)
  const field = screen.getByLabelText<HTMLInputElement>('Password', { selector: 'input' })
  await user.click(field)
  await user.paste('seven quiet harbours')
  expect([field.type, field.value]).toEqual(['password', 'seven quiet harbours'])
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(field.type).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(field.type).toBe('password')
})
