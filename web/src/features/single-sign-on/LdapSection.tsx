import type { Directory } from '@lyceum/contract/ldap'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { ldapKey, pickTestResult, useFailedTest } from './failed-test.ts'
import { LdapDialog } from './LdapDialog.tsx'
import { useRemoveLdap, useTestLdap } from './mutations.ts'
import { ldapQuery } from './queries.ts'

function Facts({ directory, isTestFailed }: { directory: Directory; isTestFailed: boolean }) {
  const { state, url, baseDn, userCount, createsUsers, rules } = directory
  if (state === 'unreadable') return <Status tone="danger">Cannot be read</Status>
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="wrap-anywhere font-medium text-sm">{url}</span>
        {isTestFailed && <Status tone="danger">Test failed</Status>}
      </p>
      <p className="wrap-anywhere text-muted text-xs leading-5">{baseDn}</p>
      <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
        <span>{formatCount(userCount, 'user')}</span>
        <span>{createsUsers ? 'Creates users' : 'By invitation'}</span>
        {rules.length > 0 && <span>{formatCount(rules.length, 'rule')}</span>}
      </p>
    </>
  )
}

/** Tests the stored values, with the stored password. */
function toTest({ url, certificate, bindDn, baseDn, userFilter, emailAttribute }: Directory) {
  return { url, certificate, bindDn, baseDn, userFilter, emailAttribute, bindPassword: '' }
}

function Loaded({ directory }: { directory: Directory | null }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const remove = useRemoveLdap()
  const test = useTestLdap({ isStored: true })
  const failedTest = useFailedTest(ldapKey)
  const editButton = useRef<HTMLButtonElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)
  // Adding and removing replace the button that had the focus, perhaps after the dialog has returned it there.
  const isSet = directory !== null
  const wasSet = useRef(isSet)
  useEffect(() => {
    if (wasSet.current !== isSet && document.activeElement === document.body) editButton.current?.focus()
    wasSet.current = isSet
  }, [isSet])
  function close(): void {
    setOpen(null)
  }
  return (
    <div className="flex flex-col items-start gap-4">
      {directory !== null && (
        <div className="w-full rounded-card border border-hairline px-4 py-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
            <div className="min-w-0 flex-1 basis-56">
              <Facts directory={directory} isTestFailed={failedTest !== null} />
            </div>
            <div className="flex flex-wrap gap-2">
              {directory.state === 'ok' && (
                <>
                  <Button
                    size="small"
                    busy={test.isPending}
                    aria-label="Test the LDAP directory"
                    onClick={() => test.mutate(toTest(directory))}
                  >
                    Test
                  </Button>
                  <Button
                    ref={editButton}
                    size="small"
                    aria-label="Edit the LDAP directory"
                    onClick={() => {
                      test.reset()
                      setOpen('edit')
                    }}
                  >
                    Edit
                  </Button>
                </>
              )}
              <Button
                ref={removeButton}
                size="small"
                aria-label="Remove the LDAP directory"
                onClick={() => setOpen('remove')}
              >
                Remove
              </Button>
            </div>
          </div>
          <TestResult data={pickTestResult(test, failedTest)} error={test.error} />
        </div>
      )}
      {directory?.state === 'unreadable' && (
        <Banner tone="danger">
          The directory cannot be decrypted with the keys of this installation, so it is not used. Remove it
          and add it again.
        </Banner>
      )}
      {directory === null && (
        <>
          <p className="text-muted text-sm">No LDAP directory yet.</p>
          <Button ref={editButton} onClick={() => setOpen('edit')}>
            Add LDAP directory
          </Button>
        </>
      )}
      {open === 'edit' && (
        <LdapDialog directory={directory} onClose={close} finalFocus={() => editButton.current ?? true} />
      )}
      <ConfirmDialog
        open={open === 'remove'}
        title="Remove the LDAP directory?"
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: close })}
        onCancel={close}
        finalFocus={() => removeButton.current ?? editButton.current}
      >
        {formatCount(directory?.userCount ?? 0, 'user')} will be disconnected, and sessions that began with it
        end. They keep the access that its rules gave them. Those without a password need a link to set one.
      </ConfirmDialog>
    </div>
  )
}

/** The LDAP directory whose users can sign in with their password. */
export function LdapSection() {
  const { data, error, refetch } = useQuery(ldapQuery())
  return (
    <Card>
      <section aria-labelledby="directory">
        <h2 id="directory" className="font-semibold text-lg">
          LDAP directory
        </h2>
        <p className="mt-1 mb-4 text-muted text-sm">
          Let users of OpenLDAP, Active Directory or another LDAP server sign in with the password they have
          there.
        </p>
        {data !== undefined && <Loaded directory={data.directory} />}
        {data === undefined && error === null && (
          <div role="status">
            <span className="sr-only">Loading the directory…</span>
            <Skeleton className="h-10" />
          </div>
        )}
        {data === undefined && error !== null && (
          <div className="flex flex-col items-start gap-3">
            <Banner tone="danger">{messageOf(error, texts.ldap.loadFailed)}</Banner>
            <Button onClick={() => void refetch()}>Try again</Button>
          </div>
        )}
      </section>
    </Card>
  )
}
