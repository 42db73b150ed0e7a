import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'

function WithDialog() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="Edit channel" description="Its name.">
        <input aria-label="Name" />
      </Dialog>
    </>
  )
}

function WithConfirm({ onConfirm }: { onConfirm: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Delete
      </button>
      <ConfirmDialog
        open={isOpen}
        title="Delete this chat?"
        confirmLabel="Delete chat"
        onConfirm={onConfirm}
        onCancel={() => setIsOpen(false)}
      >
        Its messages will be deleted.
      </ConfirmDialog>
    </>
  )
}

describe('Dialog', () => {
  it('has a name, takes the focus, and restores it after Escape', async () => {
    const user = userEvent.setup()
    render(<WithDialog />)
    const opener = screen.getByRole('button', { name: 'Open' })
    await user.click(opener)
    const dialog = await screen.findByRole('dialog', { name: 'Edit channel' })
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('closes with its button', async () => {
    const user = userEvent.setup()
    render(<WithDialog />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('ConfirmDialog', () => {
  it('focuses the cancel button', async () => {
    const user = userEvent.setup()
    render(<WithConfirm onConfirm={vi.fn()} />)
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await screen.findByRole('alertdialog', { name: 'Delete this chat?' })
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
  })

  it('calls onConfirm only when confirmed', async () => {
    const onConfirm = vi.fn()
    const user = userEvent.setup()
    render(<WithConfirm onConfirm={onConfirm} />)
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(onConfirm).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Delete chat' }))
    expect(onConfirm).toHaveBeenCalledOnce()
  })
})
