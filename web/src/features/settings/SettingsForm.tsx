import type { FormEvent, ReactNode } from 'react'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'

interface Props {
  saveLabel: string
  isSaving: boolean
  canSave: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}

/** The fields of a settings form, its save button, and the reason why a user cannot save. */
export function SettingsForm({ saveLabel, isSaving, canSave, onSubmit, children }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" busy={isSaving} aria-disabled={!canSave}>
          {saveLabel}
        </Button>
        {!canSave && <p className="text-muted text-sm">{texts.permissions.manageSettings}</p>}
      </div>
    </form>
  )
}
