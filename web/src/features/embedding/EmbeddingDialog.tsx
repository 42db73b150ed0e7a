import type { Channel } from '@lyceum/contract/channels'
import { type Embedding, type EmbeddingInput, embeddingApi } from '@lyceum/contract/embedding'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ChannelLine } from '#ui/ChannelLine.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { EmbedCode } from './EmbedCode.tsx'
import { type EmbeddingEntries, embeddingForm, toEntries } from './embedding-form.ts'
import { embeddingQuery } from './queries.ts'

const title = 'Embed on other sites'

interface Props {
  channel: Channel
  onClose: () => void
}

function EmbeddingForm({ channel, saved, onClose }: Props & { saved: Embedding }) {
  const client = useQueryClient()
  const [initial, setInitial] = useState(() => toEntries(saved))
  const form = useSchemaForm<EmbeddingEntries, EmbeddingInput>(embeddingForm, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isFirstSaved, setIsFirstSaved] = useState(false)
  const save = useMutation({
    mutationFn: (body: EmbeddingInput) => call(embeddingApi.set, { params: { id: channel._id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      const changed = await save.mutateAsync(input)
      if (saved.sites.length === 0 && changed.sites.length > 0) {
        showCode(changed)
        return
      }
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.embedding.update.failed))
      return
    }
    banner.success(texts.embedding.update.done)
    onClose()
  })
  /** The code was missing until now. */
  function showCode(changed: Embedding): void {
    const entries = toEntries(changed)
    setInitial(entries)
    form.reset(entries)
    client.setQueryData(embeddingQuery(channel._id).queryKey, changed)
    setIsFirstSaved(true)
  }
  const { values, errors } = form
  const isChanged = JSON.stringify(values) !== JSON.stringify(initial)
  return (
    <FormDialog
      title={title}
      description={<ChannelLine channel={channel} />}
      isChanged={isChanged}
      unsavedText="The sites have not been saved."
      submitLabel="Save"
      cancelLabel={isFirstSaved && !isChanged ? 'Close' : 'Cancel'}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      aside={<EmbedCode channelId={channel._id} hasSites={saved.sites.length > 0} isNew={isFirstSaved} />}
    >
      <Field
        label="Sites"
        hint="One per line, such as https://www.example.com. Only these can show the chat. Removing a site signs everyone out there."
        error={errors.sites}
      >
        {(control) => (
          <TextArea
            {...control}
            {...form.field('sites')}
            rows={3}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            className="font-mono text-sm"
          />
        )}
      </Field>
      <div>
        <Checkbox
          name="allowsVisitors"
          label="Visitors can chat without an account"
          hint="Otherwise, only members of the channel can, after they have signed in."
          checked={values.allowsVisitors}
          onChange={({ target }) => form.set('allowsVisitors', target.checked)}
        />
        {values.allowsVisitors && (
          <div className="mt-3 flex flex-col gap-4">
            <Banner tone="warning">{texts.embedding.visitors}</Banner>
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label="Messages a day for each visitor" error={errors.visitorMessagesPerDay}>
                {(control) => (
                  <TextInput
                    {...control}
                    {...form.field('visitorMessagesPerDay')}
                    inputMode="numeric"
                    autoComplete="off"
                  />
                )}
              </Field>
              <Field
                label="Messages a day for all visitors"
                hint={`Today: ${formatCount(saved.visitorMessagesToday, 'message')}. Days are in UTC.`}
                error={errors.channelVisitorMessagesPerDay}
              >
                {(control) => (
                  <TextInput
                    {...control}
                    {...form.field('channelVisitorMessagesPerDay')}
                    inputMode="numeric"
                    autoComplete="off"
                  />
                )}
              </Field>
            </div>
          </div>
        )}
      </div>
    </FormDialog>
  )
}

/** On which other sites a channel can be used, by whom, and the code to paste there. */
export function EmbeddingDialog({ channel, onClose }: Props) {
  const { data, error, refetch } = useQuery(embeddingQuery(channel._id))
  if (data !== undefined && channel.isArchived !== true)
    return <EmbeddingForm channel={channel} saved={data} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={title} description={<ChannelLine channel={channel} />}>
      {channel.isArchived === true ? (
        <Banner tone="info">{texts.embedding.archived}</Banner>
      ) : error === null ? (
        <div role="status">
          <span className="sr-only">Loading the sites…</span>
          <Skeleton className="h-64" />
        </div>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <p className="text-sm">{messageOf(error, texts.embedding.loadFailed)}</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      )}
    </Dialog>
  )
}
