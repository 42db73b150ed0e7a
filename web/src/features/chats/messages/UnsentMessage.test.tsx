import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { connection } from '#lib/connection.ts'
import { UnsentMessage } from './UnsentMessage.tsx'

afterEach(() => connection.setReachable(true))

it('cannot be sent again until there is a connection', () => {
  const message = { key: 'k1', text: 'Hello', timestamp: '2026-11-20T10:00:00.000Z', hasFailed: true }
  render(<UnsentMessage message={message} isLocked={false} onRetry={vi.fn()} onDiscard={vi.fn()} />)
  const button = screen.getByRole('button', { name: 'Try again' })
  act(() => {
    connection.setReachable(false)
    connection.confirmLoss()
  })
  expect(button.hasAttribute('disabled')).toBe(true)
  act(() => connection.setReachable(true))
  expect(button.hasAttribute('disabled')).toBe(false)
})
