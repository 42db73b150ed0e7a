import type { AuditReceiver, ReceiverInput, StartPoint } from '@lyceum/contract/audit-stream'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { RadioCard } from '#ui/RadioCard.tsx'
import { SaveAnywayDialog } from '#ui/SaveAnywayDialog.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useSaveAnyway } from '#ui/use-save-anyway.ts'
import { useSaveReceiver, useTestReceiver } from './mutations.ts'

interface Entries extends Record<string, unknown> {
  name: string
  startsAt: StartPoint
}

interface Props<E extends Entries, V extends { startsAt: StartPoint }> {
  /** Null to add one. */
  receiver: AuditReceiver | null
  addTitle: string
  schema: z.ZodMiniType<V, E>
  initial: E
  toInput: (values: V) => ReceiverInput
  /** The fields between the name and the start point. */
  renderFields: (form: SchemaForm<E, V>) => ReactNode
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

function StartField({ value, onChange }: { value: StartPoint; onChange: (value: StartPoint) => void }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">Start with</legend>
      <RadioCard
        name="startsAt"
        label="New entries"
        text="Only what happens from now on."
        isChosen={value === 'now'}
        onChoose={() => onChange('now')}
      />
      <RadioCard
        name="startsAt"
        label="All entries"
        text="The log is kept for 400 days. All of it is sent, oldest entries first."
        isChosen={value === 'beginning'}
        onChoose={() => onChange('beginning')}
      />
    </fieldset>
  )
}

/** Adds or changes a receiver of either kind. */
export function ReceiverForm<E extends Entries, V extends { startsAt: StartPoint }>(props: Props<E, V>) {
  const { receiver, initial, schema, toInput, onClose } = props
  const isNew = receiver === null
  const save = useSaveReceiver(receiver?._id ?? null)
  const test = useTestReceiver(receiver?._id ?? null)
  const form = useSchemaForm<E, V>(schema, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { values, errors, field } = form
  const outcome = isNew ? texts.auditStream.add : texts.auditStream.change
  const saveAnyway = useSaveAnyway<V>(async (parsed) => {
    setRefusal(null)
    try {
      await save.mutateAsync({ receiver: toInput(parsed), startsAt: parsed.startsAt })
      onClose()
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, outcome.failed))
    }
  })
  const submit = form.handleSubmit((parsed) => saveAnyway.submit(parsed, toInput(parsed)))

  function runTest(): void {
    const parsed = schema.safeParse(values)
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => [String(path[0]), message])
      form.showErrors(Object.fromEntries(issues.toReversed()))
      return
    }
    const input = toInput(parsed.data)
    test.mutate(input, {
      onSuccess: ({ ok }) => saveAnyway.noteTest(input, ok),
      onError: (error) => {
        if (form.showFieldErrors(error)) test.reset()
      },
    })
  }

  return (
    <FormDialog
      title={isNew ? props.addTitle : `Edit ${receiver.name}`}
      isChanged={JSON.stringify(values) !== JSON.stringify(initial)}
      canSubmitUnchanged={isNew}
      unsavedText="The receiver has not been saved."
      submitLabel={isNew ? 'Add receiver' : 'Save receiver'}
      isSubmitting={form.isSubmitting || saveAnyway.isSaving}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={props.finalFocus}
      aside={
        <SaveAnywayDialog question={saveAnyway.question}>
          The last test of this receiver failed. It gets nothing until it accepts events. Lyceum keeps trying.
        </SaveAnywayDialog>
      }
    >
      <Field label="Name" error={errors['name']}>
        {(control) => <TextInput {...control} {...field('name')} dir="auto" autoComplete="off" />}
      </Field>
      {props.renderFields(form)}
      {isNew ? (
        <StartField
          value={values.startsAt}
          onChange={(startsAt) => form.set('startsAt', startsAt as E['startsAt'])}
        />
      ) : (
        <p className="text-muted text-sm">
          The receiver continues with the first entry that it has not got yet. To send all entries to another
          server, add a receiver.
        </p>
      )}
      <div>
        <Button size="small" busy={test.isPending} onClick={runTest}>
          Send test event
        </Button>
        <TestResult data={test.data} error={test.error} />
      </div>
    </FormDialog>
  )
}
