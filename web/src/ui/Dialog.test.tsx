import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { banner } from './banner.ts'
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

function Loading({ isLoading }: { isLoading: boolean }) {
  return (
    <Dialog
      open
      onClose={() => undefined}
      title="Members"
      isLoading={isLoading}
      footer={<button type="button">Done</button>}
    >
      {!isLoading && <input aria-label="Name" />}
      <button type="button">Remove all</button>
    </Dialog>
  )
}

describe('the initial focus of a dialog', () => {
  function expectFocusOn(role: string, name: string): Promise<void> {
    return waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role, { name })))
  }

  it('is on the heading if there are only buttons below the content', async () => {
    render(
      <Dialog open onClose={() => undefined} title="Permissions" footer={<button type="button">Done</button>}>
        Three permissions.
      </Dialog>,
    )
    await expectFocusOn('heading', 'Permissions')
  })

  it('is on the chosen one of a group of radio buttons', async () => {
    render(
      <Dialog open onClose={() => undefined} title="Settings">
        <input type="radio" name="source" aria-label="Global" />
        <input type="radio" name="source" aria-label="Custom" defaultChecked />
      </Dialog>,
    )
    await expectFocusOn('radio', 'Custom')
  })

  it('is on the heading while the fields are loading, and then on the first field', async () => {
    const { rerender } = render(<Loading isLoading />)
    await expectFocusOn('heading', 'Members')
    rerender(<Loading isLoading={false} />)
    await expectFocusOn('textbox', 'Name')
  })

  it('does not move once the user has moved it', async () => {
    const { rerender } = render(<Loading isLoading />)
    await expectFocusOn('heading', 'Members')
    await userEvent.setup().tab()
    await expectFocusOn('button', 'Remove all')
    rerender(<Loading isLoading={false} />)
    await screen.findByLabelText('Name')
    await expectFocusOn('button', 'Remove all')
  })
})

describe('Dialog', () => {
  it('begins at its first field, not at an earlier result', async () => {
    banner.success('Saved')
    render(
      <Dialog open onClose={() => undefined} title="Edit channel">
        <input aria-label="Name" />
      </Dialog>,
    )
    await screen.findByText('Saved')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  })

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
