import {
  type ConsentRequest,
  connectedProgramsApi,
  type ProgramAccess,
  programAccess,
  programLifetimes,
} from '@lyceum/contract/connected-programs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { ChannelsField } from '#features/api-keys/ChannelsField.tsx'
import { clearPendingConsent, storePendingConsent } from '#features/auth/pending-consent.ts'
import { useSession } from '#features/auth/SessionProvider.tsx'
import type { SignedInUser } from '#features/auth/stored-session.ts'
import { consentRequestQuery } from '#features/connected-programs/queries.ts'
import { scopeLabels } from '#lib/api-key-labels.ts'
import { formatCount } from '#lib/format-count.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Card } from '#ui/Card.tsx'
import { Field } from '#ui/Field.tsx'
import { Link } from '#ui/Link.tsx'
import { Select } from '#ui/Select.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { UserLine } from '#ui/UserLine.tsx'

/** Reads the request from the address. It outlives a sign-in. */
function readQuery(): string {
  const query = location.search.slice(1)
  storePendingConsent(`/connect?${query}`)
  return query
}

function leaveTo(url: string): void {
  clearPendingConsent()
  location.assign(url)
}

function Destination({ destination, isLocal }: ConsentRequest) {
  return (
    <Banner tone="warning">
      <p>
        {isLocal ? 'You will return to a program on this computer at ' : 'You will be sent to '}
        <strong className="wrap-anywhere">{destination}</strong>.
      </p>
      <p className="mt-1">
        Anyone can give a program any name. Allow it only if you started this yourself
        {isLocal ? '.' : ' and trust this address.'}
      </p>
    </Banner>
  )
}

interface FormProps {
  query: string
  request: ConsentRequest
  user: SignedInUser
}

function ConsentForm({ query, request, user }: FormProps) {
  const form = useSchemaForm<ProgramAccess, ProgramAccess>(programAccess, {
    channelIds: null,
    expiresInDays: 90,
  })
  const [isCancelling, setIsCancelling] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function decide(allowed: ProgramAccess | null): Promise<void> {
    setFailure(null)
    try {
      const { url } = await call(connectedProgramsApi.decide, { body: { query, allowed } })
      leaveTo(url)
    } catch (error) {
      setFailure(messageOf(error, texts.connectedPrograms.decideFailed))
    }
  }

  async function cancel(): Promise<void> {
    setIsCancelling(true)
    await decide(null)
    setIsCancelling(false)
  }

  return (
    <form noValidate onSubmit={form.handleSubmit(decide)} className="mt-5 flex flex-col gap-5">
      <Destination {...request} />
      <div>
        <h2 className="font-medium text-sm">It will be able to, as you:</h2>
        <ul className="mt-1 list-disc ps-5 text-sm">
          {request.scopes.map((scope) => (
            <li key={scope}>{scopeLabels[scope]}</li>
          ))}
        </ul>
        <p className="mt-2 text-muted text-sm">
          It gets no administrator permissions. Its questions appear in your list of chats.
        </p>
      </div>
      <ChannelsField
        owner={null}
        value={form.values.channelIds}
        error={form.errors.channelIds}
        onChange={(channelIds) => form.set('channelIds', channelIds)}
      />
      <Field label="Expires after" error={form.errors.expiresInDays}>
        {(control) => (
          <Select
            {...control}
            name="expiresInDays"
            value={form.values.expiresInDays}
            onChange={({ target }) => {
              const chosen = programLifetimes.find((days) => String(days) === target.value)
              if (chosen !== undefined) form.set('expiresInDays', chosen)
            }}
            className="sm:max-w-48"
          >
            {programLifetimes.map((days) => (
              <option key={days} value={days}>
                {formatCount(days, 'day')}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <p className="text-muted text-sm">
        You are signed in as <UserLine user={user} />
        You can disconnect the program on your profile page at any time.
      </p>
      {failure !== null && <Banner tone="danger">{failure}</Banner>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={form.isSubmitting}>
          Allow
        </Button>
        <Button busy={isCancelling} onClick={() => void cancel()}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Refusal({ request }: { request: ConsentRequest }) {
  const { refusal, destination } = request
  if (refusal === null) return null
  return (
    <div className="mt-5 flex flex-col items-start gap-5">
      <Banner tone="danger">{refusal.message}</Banner>
      <Button onClick={() => leaveTo(refusal.url)}>
        <span className="wrap-anywhere">Back to {destination}</span>
      </Button>
    </div>
  )
}

function Consent({ query, user }: Omit<FormProps, 'request'>) {
  const { data, error } = useQuery({ ...consentRequestQuery(query), meta: { quiet: true } })
  return (
    <div className="mx-auto w-full max-w-lg px-4 pt-6 pb-24 md:pt-8">
      <Card className="sm:p-8">
        <h1 className="text-balance font-semibold text-2xl">
          {data === undefined ? (
            'Connect a program'
          ) : (
            <span className="wrap-anywhere">
              Connect <bdi>{data.name}</bdi>?
            </span>
          )}
        </h1>
        {error !== null && (
          <div className="mt-5 flex flex-col items-start gap-5">
            <Banner tone="danger">{messageOf(error, texts.connectedPrograms.requestFailed)}</Banner>
            <Link to="/dashboard" className={buttonStyle('secondary')}>
              Back to Dashboard
            </Link>
          </div>
        )}
        {data === undefined && error === null && <Skeleton className="mt-5 h-64" />}
        {data !== undefined &&
          (data.refusal === null ? (
            <ConsentForm query={query} request={data} user={user} />
          ) : (
            <Refusal request={data} />
          ))}
      </Card>
    </div>
  )
}

/** Where programs send their user to be allowed. Visitors sign in first and come back. */
export function ConnectPage() {
  const { user, isInitialized } = useSession()
  const [query] = useState(readQuery)
  if (!isInitialized) return <Loading fullPage />
  return user === null ? <Redirect to="/login" replace /> : <Consent query={query} user={user} />
}
