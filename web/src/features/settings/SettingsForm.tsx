import type { FormEvent, ReactNode } from 'react'
import { SaveButton } from '#ui/SaveButton.tsx'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'

interface Props {
  saveLabel: string
  isSaving: boolean
  canSave: boolean
  isChanged: boolean
  onDiscard: () => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}

/** The fields of a settings form and its save button. */
export function SettingsForm(props: Props) {
  const { saveLabel, isSaving, canSave, isChanged, onDiscard, onSubmit, children } = props
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
      <div className="flex flex-wrap items-center gap-3">
        <SaveButton isChanged={isChanged || !canSave} busy={isSaving} aria-disabled={!canSave}>
          {saveLabel}
        </SaveButton>
        <UnsavedChanges isChanged={isChanged} onDiscard={onDiscard} />
      </div>
    </form>
  )
}
