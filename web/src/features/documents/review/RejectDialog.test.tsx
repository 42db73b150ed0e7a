import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '#testing/render-page.tsx'
import { aDocument } from '#testing/samples.ts'
import { anAdmin, signIn } from '#testing/users.ts'
import { RejectDialog } from './RejectDialog.tsx'

function open() {
  signIn(anAdmin())
  const onClose = vi.fn<() => void>()
  const { user } = renderPage(
    <RejectDialog documents={[aDocument()]} onReject={vi.fn()} onClose={onClose} finalFocus={() => true} />,
  )
  return { user, onClose }
}

it('closes at once without a reason', async () => {
  const { user, onClose } = open()
  await screen.findByLabelText('Reason (optional)')
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

it('asks before it loses a reason', async () => {
  const { user, onClose } = open()
  const reason = await screen.findByLabelText('Reason (optional)')
  await user.type(reason, 'Out of date')
  await user.keyboard('{Escape}')
  await screen.findByRole('alertdialog', { name: 'Discard your changes?' })
  await user.click(screen.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(onClose).not.toHaveBeenCalled()
  expect(reason).toHaveProperty('value', 'Out of date')

  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(onClose).toHaveBeenCalledOnce()
})
