import type { ReactNode } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import type { SaveAnyway } from './use-save-anyway.ts'

/** The question of `useSaveAnyway`. The text says what does not work until the test succeeds. */
export function SaveAnywayDialog({ question, children }: { question: SaveAnyway; children: ReactNode }) {
  const { onConfirm, ...rest } = question
  return (
    <ConfirmDialog
      title="Save anyway?"
      confirmLabel="Save anyway"
      cancelLabel="Back"
      tone="primary"
      onConfirm={() => void onConfirm()}
      {...rest}
    >
      {children}
    </ConfirmDialog>
  )
}
