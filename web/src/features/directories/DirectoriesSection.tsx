import type { Directories, Directory, DirectoryKey } from '@lyceum/contract/directories'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatDate, formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { CreateDirectoryDialog } from './CreateDirectoryDialog.tsx'
import { DirectoryKeyDialog, ScimAddress } from './DirectoryKeyDialog.tsx'
import { useRemoveDirectory, useReplaceKey, useRevokeKey } from './mutations.ts'
import { directoriesQuery } from './queries.ts'

function KeyFacts({ directory: { key } }: { directory: Directory }) {
  if (key === null) return <Status tone="warning">No key</Status>
  return (
    <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
      <code>{key.prefix}…</code>
      <span>Created {formatDate(key.createdAt)}</span>
      <span>{key.lastUsedAt === null ? 'Never used' : `Last used ${formatDateTime(key.lastUsedAt)}`}</span>
    </p>
  )
}

function DirectoryRow({ directory, actions }: { directory: Directory; actions: ReactNode }) {
  const { name, userCount, groupCount } = directory
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p>
          <bdi className="wrap-anywhere font-medium text-sm">{name}</bdi>
        </p>
        <KeyFacts directory={directory} />
        <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
          <span>{formatCount(userCount, 'user')}</span>
          <span>{formatCount(groupCount, 'group')}</span>
        </p>
      </div>
      {/* On phones, an odd button has a line of its own, as wide as the others together. */}
      <div className="flex flex-wrap gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:[&>:last-child:nth-child(odd)]:col-span-2">
        {actions}
      </div>
    </li>
  )
}

type Question = 'replace' | 'revoke' | 'remove'

const questions: Record<Question, { title: string; confirmLabel: string; text: string }> = {
  replace: {
    title: 'Create a new key?',
    confirmLabel: 'Create key',
    text: 'The earlier key stops working at once. The directory cannot make changes until you enter the new key there.',
  },
  revoke: {
    title: 'Revoke this key?',
    confirmLabel: 'Revoke',
    text: 'The directory loses access at once. Its users and groups stay as they are until you create a new key.',
  },
  remove: {
    title: 'Disconnect this directory?',
    confirmLabel: 'Disconnect',
    text: 'The directory loses access at once and no longer manages its users and groups. They stay, with their members and channels.',
  },
}

interface QuestionProps {
  question: Question
  directory: Directory
  onKey: (created: DirectoryKey) => void
  onClose: () => void
  finalFocus: () => HTMLElement | null
}

function QuestionDialog({ question, directory, onKey, onClose, finalFocus }: QuestionProps) {
  const replace = useReplaceKey()
  const revoke = useRevokeKey()
  const remove = useRemoveDirectory()
  const { title, confirmLabel, text } = questions[question]
  function confirm(): void {
    if (question === 'replace') replace.mutate(directory._id, { onSuccess: onKey, onError: onClose })
    else (question === 'revoke' ? revoke : remove).mutate(directory._id, { onSettled: onClose })
  }
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={confirmLabel}
      busy={replace.isPending || revoke.isPending || remove.isPending}
      onConfirm={confirm}
      onCancel={onClose}
      finalFocus={finalFocus}
    >
      <QuestionSubject name={directory.name} />
      <p className="mt-2">{text}</p>
    </ConfirmDialog>
  )
}

type Open =
  | { kind: 'create' }
  | { kind: 'key'; created: DirectoryKey }
  | { kind: Question; directory: Directory }

function Loaded({ settings: { directories, scimUrl } }: { settings: Directories }) {
  const [open, setOpen] = useState<Open | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  function show(next: Open, button: HTMLButtonElement): void {
    trigger.current = button
    setOpen(next)
  }
  function close(): void {
    setOpen(null)
  }
  function showKey(created: DirectoryKey): void {
    setOpen({ kind: 'key', created })
  }
  function returnFocus(): HTMLElement | null {
    return trigger.current?.isConnected ? trigger.current : addButton.current
  }
  function renderAction(kind: Question, directory: Directory, label: string) {
    return (
      <Button
        size="small"
        aria-label={`${label}: ${directory.name}`}
        onClick={({ currentTarget }) => show({ kind, directory }, currentTarget)}
      >
        {label}
      </Button>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {directories.length === 0 ? (
        <p className="text-muted text-sm">
          No SCIM directories yet. Users are invited, or created when they sign in with single sign-on or
          LDAP.
        </p>
      ) : (
        <ul
          aria-label="SCIM directories"
          className="divide-y divide-hairline rounded-card border border-hairline"
        >
          {directories.map((directory) => (
            <DirectoryRow
              key={directory._id}
              directory={directory}
              actions={
                <>
                  {renderAction('replace', directory, directory.key === null ? 'Create key' : 'Replace key')}
                  {directory.key !== null && renderAction('revoke', directory, 'Revoke key')}
                  {renderAction('remove', directory, 'Disconnect')}
                </>
              }
            />
          ))}
        </ul>
      )}
      <ScimAddress url={scimUrl} />
      <Button
        ref={addButton}
        className="self-start"
        onClick={({ currentTarget }) => show({ kind: 'create' }, currentTarget)}
      >
        Connect SCIM directory
      </Button>
      {open?.kind === 'create' && (
        <CreateDirectoryDialog onCreated={showKey} onClose={close} finalFocus={() => returnFocus() ?? true} />
      )}
      {open?.kind === 'key' && (
        <DirectoryKeyDialog created={open.created} onClose={close} finalFocus={() => returnFocus() ?? true} />
      )}
      {open !== null && open.kind !== 'create' && open.kind !== 'key' && (
        <QuestionDialog
          question={open.kind}
          directory={open.directory}
          onKey={showKey}
          onClose={close}
          finalFocus={returnFocus}
        />
      )}
    </div>
  )
}

/** The directories that manage users and groups. */
export function DirectoriesSection() {
  const { data, error, refetch } = useQuery(directoriesQuery())
  return (
    <Card>
      <section aria-labelledby="directories">
        <h2 id="directories" className="font-semibold text-lg">
          User provisioning (SCIM)
        </h2>
        <p className="mt-1 mb-4 text-muted text-sm">
          Let Entra ID, Okta or another directory create and deactivate users and fill groups, with SCIM 2.0.
        </p>
        {data !== undefined && <Loaded settings={data} />}
        {data === undefined && error === null && (
          <div role="status">
            <span className="sr-only">Loading the directories…</span>
            <Skeleton className="h-24" />
          </div>
        )}
        {data === undefined && error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(error, texts.directories.loadFailed)}</Banner>
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
      </section>
    </Card>
  )
}
