import { embeddingApi } from '@lyceum/contract/embedding'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Redirect, useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { createQueryClient } from '#api/query-client.ts'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { clearPendingConsent, storePendingConsent } from '#features/auth/pending-consent.ts'
import { useSession, useSessionActions } from '#features/auth/SessionProvider.tsx'
import type { SignedInUser } from '#features/auth/stored-session.ts'
import { channelQuery, isOwnChannel } from '#features/channels/queries.ts'
import { embeddedChannelQuery } from '#features/embedding/queries.ts'
import { cancelHandOver, canHandOverSignIn, handOverSignIn } from '#features/embedding/sign-in-popup.ts'
import { texts } from '#texts/member.ts'
import { product } from '#theme/product.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { UserLine } from '#ui/UserLine.tsx'

/** Reads the site from the address. It outlives a sign-in. */
function readSite(): string {
  storePendingConsent(location.pathname + location.search)
  const site = new URLSearchParams(location.search).get('site') ?? ''
  return URL.canParse(site) && new URL(site).origin === site ? site : ''
}

function closePopup(): void {
  clearPendingConsent()
  window.close()
}

function cancel(): void {
  cancelHandOver()
  closePopup()
}

function getHost(site: string): string {
  return new URL(site).host
}

/** Who is signed in, and the way to another account, after which the sign-in page leads back here. */
function Account({ user }: { user: SignedInUser }) {
  const session = useSessionActions()
  return (
    <div className="text-muted text-sm">
      <p>
        You are signed in as <UserLine user={user} />
      </p>
      <button
        type="button"
        className="py-1.5 font-medium text-link underline underline-offset-4"
        onClick={session.logout}
      >
        Use another account
      </button>
      <p className="text-xs">It signs you out of {product.name} in this browser.</p>
    </div>
  )
}

interface RefusalProps {
  title?: string
  lead?: ReactNode
  /** Given if another account could help. */
  user?: SignedInUser
  children: ReactNode
}

function Refusal({ title = 'Sign in to the chat', lead, user, children }: RefusalProps) {
  return (
    <AuthScreen title={title} lead={lead} focusesTitle>
      <div className="flex flex-col items-start gap-5">
        <Banner tone="danger">{children}</Banner>
        {user !== undefined && <Account user={user} />}
        <Button onClick={cancel}>Close</Button>
      </div>
    </AuthScreen>
  )
}

interface ConsentProps {
  channelId: string
  channelName: string
  site: string
  user: SignedInUser
}

function Consent({ channelId, channelName, site, user }: ConsentProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const canAllow = canHandOverSignIn()

  async function allow(): Promise<void> {
    setIsBusy(true)
    setFailure(null)
    try {
      handOverSignIn(await call(embeddingApi.signIn, { params: { channelId }, body: { site } }))
      closePopup()
    } catch (error) {
      setFailure(messageOf(error, texts.embedding.signInFailed))
      setIsBusy(false)
    }
  }

  return (
    <AuthScreen
      title={
        <span className="wrap-anywhere">
          Use <bdi>{channelName}</bdi> on <bdi>{getHost(site)}</bdi>?
        </span>
      }
      focusesTitle
    >
      <div className="flex flex-col gap-5">
        <p className="text-sm">
          The page at <strong className="wrap-anywhere">{site}</strong> shows this chat. Messages that you
          send there appear in your list of chats. The page itself cannot read them.
        </p>
        <Account user={user} />
        {failure !== null && <Banner tone="danger">{failure}</Banner>}
        {canAllow ? (
          <div className="flex flex-wrap gap-3">
            <Button variant="primary" busy={isBusy} onClick={() => void allow()}>
              Allow
            </Button>
            <Button onClick={cancel}>Cancel</Button>
          </div>
        ) : (
          <Banner tone="info">{texts.embedding.goBack}</Banner>
        )}
      </div>
    </AuthScreen>
  )
}

function LoadedConsent({ channelId, site, user }: Omit<ConsentProps, 'channelName'>) {
  const embedded = useQuery(embeddedChannelQuery(channelId))
  const channel = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  if (site === '' || isNotFound(embedded.error)) return <Refusal>{texts.embedding.notAvailable}</Refusal>
  if (isNotFound(channel.error) || (channel.data !== undefined && !isOwnChannel(channel.data))) {
    // Only what everyone on the site, or this user elsewhere, may know.
    const name = embedded.data?.name ?? channel.data?.name
    return (
      <Refusal
        title="You have no access to this chat"
        lead={
          <span className="wrap-anywhere">
            {name !== undefined && (
              <>
                <bdi>{name}</bdi> on{' '}
              </>
            )}
            <bdi>{getHost(site)}</bdi>
          </span>
        }
        user={user}
      >
        {texts.embedding.notMember}
      </Refusal>
    )
  }
  const error = embedded.error ?? channel.error
  if (error !== null) return <Refusal>{messageOf(error, texts.chat.loadChannelFailed)}</Refusal>
  if (embedded.data === undefined || channel.data === undefined)
    return (
      <AuthScreen title="Sign in to the chat">
        <Skeleton className="h-40" />
      </AuthScreen>
    )
  return <Consent channelId={channelId} channelName={channel.data.name} site={site} user={user} />
}

/** The popup of the chat on other sites (embed.tsx). It signs the user in if needed, and asks for consent. */
export function EmbeddedSignInPage() {
  const { channelId = '' } = useParams()
  const { user, isInitialized } = useSession()
  const [site] = useState(readSite)
  const [client] = useState(() => createQueryClient(true))
  if (!isInitialized) return <Loading fullPage />
  return user === null ? (
    <Redirect to="/login" replace />
  ) : (
    <QueryClientProvider client={client}>
      <LoadedConsent channelId={channelId} site={site} user={user} />
    </QueryClientProvider>
  )
}
