import { type Webhook, webhookEvents, webhookMaximum } from '@lyceum/contract/webhooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { Deliveries } from './Deliveries.tsx'
import {
  useAddWebhook,
  useChangeWebhook,
  useRemoveWebhook,
  useReplaceSecret,
  useTestWebhook,
} from './mutations.ts'
import { webhooksQuery } from './queries.ts'
import { SecretDialog } from './SecretDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { eventLabels, shortenAddress } from './webhook-labels.ts'

function WebhookStatus({ state, isEnabled, isGivenUp, failingSince }: Webhook) {
  if (state === 'unreadable') return <Status tone="danger">Cannot be read</Status>
  if (isGivenUp) return <Status tone="danger">Switched off after failures</Status>
  if (!isEnabled) return <Status tone="neutral">Off</Status>
  return failingSince === null ? <Status tone="success">On</Status> : <Status tone="danger">Failing</Status>
}

function WebhookRow({ webhook, actions }: { webhook: Webhook; actions: ReactNode }) {
  const { _id, name, state, url, events, failingSince } = webhook
  const test = useTestWebhook(_id)
  const [isOpen, setIsOpen] = useState(false)
  const isReadable = state === 'ok'
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-2">
            <bdi className="wrap-anywhere font-medium text-sm">{name}</bdi>
            <WebhookStatus {...webhook} />
          </p>
          <p className="wrap-anywhere text-muted text-xs leading-5">
            {isReadable
              ? shortenAddress(url)
              : 'It cannot be decrypted with the keys of this installation. Remove it and add it again.'}
          </p>
          <p className="wrap-anywhere text-muted text-xs leading-5">
            {events.length === webhookEvents.length
              ? 'All events'
              : events.map((event) => eventLabels[event]).join(' · ')}
          </p>
          {failingSince !== null && (
            <p className="text-danger text-xs leading-5">
              Failing since <Timestamp at={failingSince} />
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
          {isReadable && (
            <Button
              size="small"
              busy={test.isPending}
              aria-label={`Test ${name}`}
              onClick={() => test.mutate()}
            >
              Test
            </Button>
          )}
          {actions}
        </div>
      </div>
      <TestResult data={test.data} error={test.error} />
      <details className="mt-1" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted text-sm pointer-coarse:min-h-11 pointer-coarse:py-3">
          Last deliveries
        </summary>
        {isOpen && <Deliveries webhookId={_id} />}
      </details>
    </li>
  )
}

interface EditProps {
  webhook: Webhook
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

function EditWebhook({ webhook, onClose, finalFocus }: EditProps) {
  const change = useChangeWebhook(webhook._id)
  return (
    <WebhookDialog
      webhook={webhook}
      save={async (input) => {
        await change.mutateAsync(input)
        onClose()
      }}
      onClose={onClose}
      finalFocus={finalFocus}
    />
  )
}

type Open =
  | { kind: 'add' }
  | { kind: 'secret'; name: string; secret: string; isReplacement: boolean }
  | { kind: 'edit' | 'replace' | 'remove'; webhook: Webhook }

function Loaded({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const add = useAddWebhook()
  const remove = useRemoveWebhook()
  const replace = useReplaceSecret()
  const trigger = useRef<HTMLButtonElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  function show(next: Open, button: HTMLButtonElement): void {
    trigger.current = button
    setOpen(next)
  }
  function close(): void {
    setOpen(null)
  }
  function returnFocus(): HTMLElement | null {
    return trigger.current?.isConnected ? trigger.current : addButton.current
  }
  const dialogProps = { onClose: close, finalFocus: () => returnFocus() ?? true }
  return (
    <div className="flex flex-col gap-4">
      {webhooks.length === 0 ? (
        <p className="text-muted text-sm">No webhooks yet.</p>
      ) : (
        <ul aria-label="Webhooks" className="divide-y divide-hairline rounded-card border border-hairline">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook._id}
              webhook={webhook}
              actions={
                <>
                  {webhook.state === 'ok' && (
                    <>
                      <Button
                        size="small"
                        aria-label={`Edit ${webhook.name}`}
                        onClick={({ currentTarget }) => show({ kind: 'edit', webhook }, currentTarget)}
                      >
                        Edit
                      </Button>
                      <Button
                        size="small"
                        aria-label={`Replace secret of ${webhook.name}`}
                        onClick={({ currentTarget }) => show({ kind: 'replace', webhook }, currentTarget)}
                      >
                        Replace secret
                      </Button>
                    </>
                  )}
                  <Button
                    size="small"
                    aria-label={`Remove ${webhook.name}`}
                    onClick={({ currentTarget }) => show({ kind: 'remove', webhook }, currentTarget)}
                  >
                    Remove
                  </Button>
                </>
              }
            />
          ))}
        </ul>
      )}
      {webhooks.length < webhookMaximum && (
        <Button
          ref={addButton}
          className="self-start"
          onClick={({ currentTarget }) => show({ kind: 'add' }, currentTarget)}
        >
          Add webhook
        </Button>
      )}
      {open?.kind === 'add' && (
        <WebhookDialog
          webhook={null}
          save={async (input) => {
            const { secret } = await add.mutateAsync(input)
            setOpen({ kind: 'secret', name: input.name, secret, isReplacement: false })
          }}
          {...dialogProps}
        />
      )}
      {open?.kind === 'secret' && <SecretDialog {...open} {...dialogProps} />}
      {open?.kind === 'edit' && <EditWebhook webhook={open.webhook} {...dialogProps} />}
      {open?.kind === 'replace' && (
        <ConfirmDialog
          open
          title="Replace this secret?"
          confirmLabel="Replace secret"
          busy={replace.isPending}
          onConfirm={() =>
            replace.mutate(open.webhook._id, {
              onSuccess: ({ secret }) =>
                setOpen({ kind: 'secret', name: open.webhook.name, secret, isReplacement: true }),
              onError: close,
            })
          }
          onCancel={close}
          finalFocus={returnFocus}
        >
          <QuestionSubject name={open.webhook.name} />
          <p className="mt-2">
            All events are signed with the new secret from then on. The receiver refuses them until you enter
            it there.
          </p>
        </ConfirmDialog>
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          open
          title="Remove this webhook?"
          confirmLabel="Remove"
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(open.webhook._id, {
              // The row of the button goes away, perhaps only after the dialog.
              onSuccess: () => {
                trigger.current = addButton.current
              },
              onSettled: close,
            })
          }
          onCancel={close}
          finalFocus={returnFocus}
        >
          <QuestionSubject name={open.webhook.name} />
          <p className="mt-2">
            Its secret and its deliveries are deleted. Events not sent yet are not delivered.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The servers that are told about events. */
export function WebhooksSection() {
  const { data, error, refetch } = useQuery({ ...webhooksQuery(), meta: { quiet: true } })
  return (
    <Card>
      <section aria-labelledby="webhooks">
        <h2 id="webhooks" className="font-semibold text-lg">
          Webhooks
        </h2>
        <p className="mt-1 mb-4 text-muted text-sm">
          Tell other programs about documents, ratings and unanswered questions. They get names and links,
          never what chats or documents say.
        </p>
        {data !== undefined && <Loaded webhooks={data.webhooks} />}
        {data === undefined && error === null && (
          <div role="status">
            <span className="sr-only">Loading the webhooks…</span>
            <Skeleton className="h-24" />
          </div>
        )}
        {data === undefined && error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(error, texts.webhooks.loadFailed)}</Banner>
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
      </section>
    </Card>
  )
}
