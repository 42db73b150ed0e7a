import type { FormEvent } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { type DraftForm, useDraftForm } from '#lib/form-drafts.tsx'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'

interface Options<Entries extends Record<string, unknown>, Settings> {
  /** The name of the draft, unique in the section. */
  name: string
  schema: z.ZodMiniType<Settings, Entries>
  entries: Entries
  /** Resolves with the entries for the settings that the server stored. */
  save: (settings: Settings) => Promise<Entries>
}

interface SettingsFormState<Entries extends Record<string, unknown>, Settings>
  extends DraftForm<Entries, Settings> {
  canSave: boolean
  /** Saves and shows the outcome. It never rejects. */
  submitSettings: (settings: Settings) => Promise<void>
  /** Passes valid settings to `onValid`. Users without the permission see why nothing is saved. */
  handleSubmit: (
    onValid: (settings: Settings) => Promise<void>,
  ) => (event: FormEvent<HTMLFormElement>) => void
}

/** A form for the global settings, which only users with `canManageSettings` can save. */
export function useSettingsForm<Entries extends Record<string, unknown>, Settings>({
  name,
  schema,
  entries,
  save,
}: Options<Entries, Settings>): SettingsFormState<Entries, Settings> {
  const canSave = useCan('canManageSettings')
  const form = useDraftForm(name, schema, entries)
  return {
    ...form,
    canSave,
    submitSettings: async (settings) => {
      try {
        form.reset(await save(settings))
        banner.success(texts.settings.update.done)
      } catch (error) {
        if (!form.showFieldErrors(error)) banner.error(messageOf(error, texts.settings.update.failed))
      }
    },
    handleSubmit: (onValid) => {
      const submit = form.handleSubmit(onValid)
      return (event) => {
        if (canSave) {
          submit(event)
          return
        }
        event.preventDefault()
        banner.error(texts.permissions.manageSettings)
      }
    },
  }
}
