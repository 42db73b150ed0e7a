import { type Quota, type QuotaEntries, quotaForm, quotasApi } from '@lyceum/contract/quotas'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useDraftForm } from '#lib/form-drafts.tsx'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'
import { QuotaFields } from './QuotaFields.tsx'
import { quotaQuery } from './queries.ts'
import { toQuotaEntries } from './quota-labels.ts'

function LimitsForm({ quota }: { quota: Quota }) {
  const client = useQueryClient()
  const form = useDraftForm<QuotaEntries, Quota>('limits', quotaForm, toQuotaEntries(quota))
  const save = useMutation({
    mutationFn: (body: Quota) => call(quotasApi.update, { body }),
    onSuccess: (saved) => client.setQueryData(quotaQuery().queryKey, saved),
  })
  const submit = form.handleSubmit(async (body) => {
    try {
      form.reset(toQuotaEntries(await save.mutateAsync(body)))
      banner.success(texts.quotas.update.done)
    } catch (error) {
      if (!form.showFieldErrors(error)) banner.error(messageOf(error, texts.quotas.update.failed))
    }
  })
  return (
    <form noValidate onSubmit={submit} className="mt-4 flex flex-col items-start gap-5">
      <div className="w-full">
        <QuotaFields form={form} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <SaveButton isChanged={form.isChanged} busy={save.isPending}>
          Save limits
        </SaveButton>
        <UnsavedChanges isChanged={form.isChanged} onDiscard={form.discard} />
      </div>
    </form>
  )
}

function Limits() {
  const { data, error, refetch } = useQuery(quotaQuery())
  if (data !== undefined) return <LimitsForm quota={data} />
  if (error === null) {
    return (
      <div role="status" className="mt-4">
        <span className="sr-only">Loading the limits…</span>
        <Skeleton className="h-32" />
      </div>
    )
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <p className="text-danger text-sm">{messageOf(error, texts.quotas.loadFailed)}</p>
      <Button size="small" onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}

/** The limits of all users without custom ones. */
export function DefaultLimits() {
  const canSave = useCan('canManageSettings')
  if (!canSave) return null
  return (
    <Card>
      <section aria-labelledby="limits">
        <h2 id="limits" className="font-semibold text-lg">
          Limits
        </h2>
        <p className="mt-1 text-muted text-sm">
          Default limits for everyone, including administrators. Leave empty for no limit; 0 blocks all
          messages. Days and months are in UTC. You can set custom limits for a user or a channel.
        </p>
        <Limits />
      </section>
    </Card>
  )
}
