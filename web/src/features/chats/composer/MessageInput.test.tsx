import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLayoutEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { MessageInput } from './MessageInput.tsx'

function readHint() {
  return screen.getByRole('status').textContent
}

/** The field, and the hint as a screen reader finds it after each change, before effects run. */
function Field({ isBusy, onHint }: { isBusy: boolean; onHint: (hint: string | null) => void }) {
  useLayoutEffect(() => onHint(readHint()))
  return (
    <MessageInput
      userId="p1"
      chatId="a"
      pendingText=""
      takesFocus="never"
      isLoading={false}
      isBusy={isBusy}
      isStopping={false}
      canStop={isBusy}
      onSend={vi.fn()}
      onStop={vi.fn()}
    />
  )
}

it('says nothing about files when the reply ends that the user has to wait for', async () => {
  const { rerender } = render(<Field isBusy onHint={() => undefined} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'And then?{Enter}')
  expect(readHint()).toMatch(/^You can send this once the reply is complete/)
  const handleHint = vi.fn()
  rerender(<Field isBusy={false} onHint={handleHint} />)
  expect(handleHint).toHaveBeenCalledExactlyOnceWith('')
})
