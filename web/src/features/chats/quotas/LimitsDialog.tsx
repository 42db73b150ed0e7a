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
import { toQuotaEntries } from './quota-labels.ts'

interface FormProps {
  /** The user or the channel. */
  subject: ReactNode
  quota: Quota
  usage: Record<keyof Quota, string>
  lead: ReactNode
  /** Something other than the fields was changed. */
  hasOtherChanges?: boolean
  /** The fields are disabled and not saved. */
  isDisabled?: boolean
  onSave: (quota: Quota) => Promise<unknown>
  onClose: () => void
}

/** The dialog for the limits of a user or a channel. */
export function LimitsFormDialog(props: FormProps) {
  const { quota, usage, isDisabled = false, hasOtherChanges = false, onSave, onClose } = props
  const initial = toQuotaEntries(quota)
  const form = useSchemaForm<QuotaEntries, Quota>(quotaForm, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = form.handleSubmit(async (chosen) => {
    setRefusal(null)
    try {
      await onSave(chosen)
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.quotas.update.failed))
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
      title="Limits"
      description={props.subject}
      isChanged={hasOtherChanges || (!isDisabled && areFieldsChanged)}
      unsavedText="The limits have not been saved."
      submitLabel="Save limits"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      {props.lead}
      <QuotaFields form={form} usage={usage} disabled={isDisabled} />
    </FormDialog>
  )
}

interface PendingProps {
  subject: ReactNode
  error: Error | null
  onRetry: () => void
  onClose: () => void
}

/** The dialog while the limits are loading or after loading failed. */
export function PendingLimitsDialog({ subject, error, onRetry, onClose }: PendingProps) {
  return (
    <Dialog open onClose={onClose} title="Limits" description={subject}>
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
