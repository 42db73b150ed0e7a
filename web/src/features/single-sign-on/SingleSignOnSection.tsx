import type { Issuer, SingleSignOn } from '@lyceum/contract/single-sign-on'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { pickTestResult, useFailedTest } from './failed-test.ts'
import { IssuerDialog } from './IssuerDialog.tsx'
import { useRemoveIssuer, useSetPasswordSignIn, useTestIssuer } from './mutations.ts'
import { ldapQuery, singleSignOnQuery } from './queries.ts'

interface RowProps {
  issuer: Issuer
  actions: ReactNode
}

function IssuerRow({ issuer, actions }: RowProps) {
  const { _id, name, state, userCount, createsUsers, rules } = issuer
  const test = useTestIssuer(_id)
  const failedTest = useFailedTest(_id)
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-2">
            <bdi className="wrap-anywhere font-medium text-sm">{name}</bdi>
            {state === 'unreadable' && <Status tone="danger">Cannot be read</Status>}
            {failedTest !== null && <Status tone="danger">Test failed</Status>}
          </p>
          <p className="wrap-anywhere text-muted text-xs leading-5">{issuer.issuer}</p>
          <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
            <span>{formatCount(userCount, 'user')}</span>
            <span>{createsUsers ? 'Creates users' : 'By invitation'}</span>
            {rules.length > 0 && <span>{formatCount(rules.length, 'rule')}</span>}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'ok' && (
            <Button
              size="small"
              busy={test.isPending}
              aria-label={`Test ${name}`}
              onClick={() => test.mutate(issuer.issuer)}
            >
              Test
            </Button>
          )}
          {actions}
        </div>
      </div>
      <TestResult data={pickTestResult(test, failedTest)} error={test.error} />
    </li>
  )
}

const breakGlassCommand = 'npx lyceum admin create --break-glass --email you@example.org --name "Emergency"'

/** The server refuses to switch passwords off while one of these is missing. */
function Requirements({
  id,
  hasIssuer,
  hasBreakGlass,
}: Record<'hasIssuer' | 'hasBreakGlass', boolean> & { id: string }) {
  return (
    <div id={id} className="pl-7.5 text-muted text-xs">
      {!hasIssuer && (
        <p>To switch this off, first add an issuer or an LDAP directory, so that users can still sign in.</p>
      )}
      {!hasBreakGlass && (
        <>
          <p>
            {hasIssuer ? 'To switch this off, first create' : 'Also create'} an emergency administrator, who
            can always use a password. Run this on the server, with your email address:
          </p>
          <p className="mt-2 flex items-center justify-between gap-2 rounded-card bg-surface-2 px-3 py-1.5 text-ink">
            <code className="wrap-anywhere min-w-0">{breakGlassCommand}</code>
            <CopyButton label="Copy the command" text={() => breakGlassCommand} isIconOnly />
          </p>
        </>
      )}
    </div>
  )
}

/** Switches signing in with a password off, if someone can still use one in an emergency. */
function PasswordSignIn({ settings }: { settings: SingleSignOn }) {
  const save = useSetPasswordSignIn()
  const { data: ldap } = useQuery(ldapQuery())
  const [isConfirming, setIsConfirming] = useState(false)
  const requirementsId = useId()
  const { isOn, breakGlassCount } = settings.passwordSignIn
  const hasBreakGlass = breakGlassCount > 0
  const hasIssuer = settings.issuers.length > 0 || ldap?.directory !== null
  const isLocked = isOn && !(hasIssuer && hasBreakGlass)
  function handleChange(): void {
    if (save.isPending) return
    isOn ? setIsConfirming(true) : save.mutate(true)
  }
  return (
    <div className="border-hairline border-t pt-4">
      <Checkbox
        label="Users can sign in with a password"
        hint={
          !isLocked &&
          `${formatCount(breakGlassCount, 'administrator')} for emergencies can always use a password.`
        }
        aria-describedby={isLocked ? requirementsId : undefined}
        checked={isOn}
        disabled={isLocked}
        aria-disabled={save.isPending || undefined}
        onChange={handleChange}
      />
      {isLocked && <Requirements id={requirementsId} hasIssuer={hasIssuer} hasBreakGlass={hasBreakGlass} />}
      <ConfirmDialog
        open={isConfirming}
        title="Switch off passwords?"
        confirmLabel="Switch off passwords"
        busy={save.isPending}
        onConfirm={() => save.mutate(false, { onSettled: () => setIsConfirming(false) })}
        onCancel={() => setIsConfirming(false)}
      >
        Users must then sign in with an issuer, and links to set a password stop working. Make sure that you
        can sign in that way yourself. Open sessions continue.
      </ConfirmDialog>
    </div>
  )
}

type Open = { kind: 'add' } | { kind: 'edit' | 'remove'; issuer: Issuer }

function Loaded({ settings }: { settings: SingleSignOn }) {
  const [open, setOpen] = useState<Open | null>(null)
  const remove = useRemoveIssuer()
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
  return (
    <div className="flex flex-col gap-4">
      {settings.issuers.length === 0 ? (
        <p className="text-muted text-sm">No issuers yet. Users sign in with a password.</p>
      ) : (
        <ul aria-label="Issuers" className="divide-y divide-hairline rounded-card border border-hairline">
          {settings.issuers.map((issuer) => (
            <IssuerRow
              key={issuer._id}
              issuer={issuer}
              actions={
                <>
                  {issuer.state === 'ok' && (
                    <Button
                      size="small"
                      aria-label={`Edit ${issuer.name}`}
                      onClick={({ currentTarget }) => show({ kind: 'edit', issuer }, currentTarget)}
                    >
                      Edit
                    </Button>
                  )}
                  <Button
                    size="small"
                    aria-label={`Remove ${issuer.name}`}
                    onClick={({ currentTarget }) => show({ kind: 'remove', issuer }, currentTarget)}
                  >
                    Remove
                  </Button>
                </>
              }
            />
          ))}
        </ul>
      )}
      {settings.issuers.some(({ state }) => state === 'unreadable') && (
        <Banner tone="danger">
          An issuer cannot be decrypted with the keys of this installation, so it is not used. Remove it and
          add it again.
        </Banner>
      )}
      <Button
        ref={addButton}
        className="self-start"
        onClick={({ currentTarget }) => show({ kind: 'add' }, currentTarget)}
      >
        Add issuer
      </Button>
      <PasswordSignIn settings={settings} />
      {open !== null && open.kind !== 'remove' && (
        <IssuerDialog
          issuer={open.kind === 'edit' ? open.issuer : null}
          publicUrl={settings.publicUrl}
          onClose={close}
          finalFocus={() => returnFocus() ?? true}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          open
          title="Remove this issuer?"
          confirmLabel="Remove"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(open.issuer._id, { onSettled: close })}
          onCancel={close}
          finalFocus={returnFocus}
        >
          <QuestionSubject name={open.issuer.name} />
          <p className="mt-2">
            {formatCount(open.issuer.userCount, 'user')} will be disconnected, and sessions that began with it
            end. They keep the access that its rules gave them. Those without a password need a link to set
            one.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The issuers with which users can sign in. */
export function SingleSignOnSection() {
  const { data, error, refetch } = useQuery(singleSignOnQuery())
  return (
    <Card>
      <section aria-labelledby="single-sign-on">
        <h2 id="single-sign-on" className="font-semibold text-lg">
          Single sign-on
        </h2>
        <p className="mt-1 mb-4 text-muted text-sm">
          Let users sign in with an existing account through OpenID Connect.
        </p>
        {data !== undefined && <Loaded settings={data} />}
        {data === undefined && error === null && (
          <div role="status">
            <span className="sr-only">Loading the issuers…</span>
            <Skeleton className="h-32" />
          </div>
        )}
        {data === undefined && error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(error, texts.singleSignOn.loadFailed)}</Banner>
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
      </section>
    </Card>
  )
}
