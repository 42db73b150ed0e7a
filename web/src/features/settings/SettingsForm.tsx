import type { FormEvent, ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'

interface Props {
  saveLabel: string
  isSaving: boolean
  canSave: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}

/** The fields of a settings form and its save button. */
export function SettingsForm({ saveLabel, isSaving, canSave, onSubmit, children }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
      <div>
        <Button type="submit" variant="primary" busy={isSaving} aria-disabled={!canSave}>
          {saveLabel}
        </Button>
      </div>
    </form>
  )
}
