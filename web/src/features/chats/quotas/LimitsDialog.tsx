import { type Quota, type QuotaEntries, quotaForm } from '@lyceum/contract/quotas'
import { type ReactNode, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { QuotaFields } from './QuotaFields.tsx'
import { entriesOf } from './quota-labels.ts'

interface FormProps {
  title: string
  quota: Quota
  spent: Record<keyof Quota, string>
  /** Above the fields. */
  lead: ReactNode
  /** Something else than the fields was changed too. */
  isOtherwiseChanged?: boolean
  /** The fields have no part in it at the moment. */
  isOff?: boolean
  onSave: (quota: Quota) => Promise<unknown>
  onClose: () => void
}

/** Limits in a window, whosever they are. */
export function LimitsForm(props: FormProps) {
  const { quota, spent, isOff = false, isOtherwiseChanged = false, onSave, onClose } = props
  const initial = entriesOf(quota)
  const form = useSchemaForm<QuotaEntries, Quota>(quotaForm, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = form.handleSubmit(async (chosen) => {
    setRefusal(null)
    try {
      await onSave(chosen)
    } catch (error) {
      if (!form.showRefusal(error)) setRefusal(messageOf(error, texts.quotas.update.failed))
      return
    }
    banner.success(texts.quotas.update.done)
    onClose()
  })
  const areFieldsChanged =
    form.values.messagesPerDay !== initial.messagesPerDay ||
    form.values.tokensPerMonth !== initial.tokensPerMonth
  return (
    <FormDialog
      title={props.title}
      isChanged={isOtherwiseChanged || (!isOff && areFieldsChanged)}
      unsaved="The limits have not been saved."
      submitLabel="Save Limits"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      {props.lead}
      <QuotaFields form={form} spent={spent} disabled={isOff} />
    </FormDialog>
  )
}

interface WaitProps {
  title: string
  error: Error | null
  onRetry: () => void
  onClose: () => void
}

/** Holds the window open until it is known what holds. */
export function LimitsOnTheirWay({ title, error, onRetry, onClose }: WaitProps) {
  return (
    <Dialog open onClose={onClose} title={title}>
      {error === null ? (
        <div role="status">
          <span className="sr-only">Loading the limits…</span>
          <Skeleton className="h-40" />
        </div>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <p className="text-sm">{messageOf(error, texts.quotas.loadFailed)}</p>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </Dialog>
  )
}
