import { type EmbeddedSignIn, embeddingApi, visitorDays } from '@lyceum/contract/embedding'
import { useMutation } from '@tanstack/react-query'
import { LogIn, MessagesSquare } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { onSignInFromPopup, openSignInPopup } from '#features/embedding/sign-in-popup.ts'
import { texts } from '#texts/embedded.ts'
import { product } from '#theme/product.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'

/** Signs in with a popup. `open` returns false if the browser did not open it. */
export function useSignInPopup(
  channelId: string,
  site: string,
  onSignedIn: (signIn: EmbeddedSignIn) => void,
) {
  const [popup, setPopup] = useState<Window | null>(null)
  useEffect(() => (popup === null ? undefined : onSignInFromPopup(popup, onSignedIn)), [popup, onSignedIn])
  return {
    isOpened: popup !== null,
    open: (): boolean => {
      const opened = openSignInPopup(channelId, site)
      setPopup(opened)
      return opened !== null
    },
  }
}

interface Props {
  channelId: string
  site: string
  allowsVisitors: boolean
  /** The user was signed in before. */
  hasEnded: boolean
  onSignedIn: (signIn: EmbeddedSignIn) => void
}

/** Offers to sign in, and to chat without an account where that is allowed. */
export function EmbedWelcome({ channelId, site, allowsVisitors, hasEnded, onSignedIn }: Props) {
  const popup = useSignInPopup(channelId, site, onSignedIn)
  const [isBlocked, setIsBlocked] = useState(false)
  const visit = useMutation({
    mutationFn: () => call(embeddingApi.visit, { params: { channelId }, body: { site } }),
    onSuccess: onSignedIn,
  })
  const problem = isBlocked
    ? texts.popupBlocked
    : visit.error === null
      ? null
      : messageOf(visit.error, texts.startFailed)
  return (
    <EmptyState
      icon={allowsVisitors ? MessagesSquare : LogIn}
      hint={
        allowsVisitors
          ? `An AI answers. Administrators of ${product.name} can read your chats. They are deleted ${visitorDays} days after your last message.`
          : `Use your ${product.name} account. A small window opens for that.`
      }
      action={
        <div className="flex flex-col items-center gap-3">
          {problem !== null && <Banner tone="danger">{problem}</Banner>}
          {allowsVisitors && (
            <Button variant="primary" busy={visit.isPending} onClick={() => visit.mutate()}>
              Start chat
            </Button>
          )}
          <Button variant={allowsVisitors ? 'ghost' : 'primary'} onClick={() => setIsBlocked(!popup.open())}>
            Sign in
          </Button>
          <p role="status" className="max-w-sm text-muted text-sm empty:hidden">
            {popup.isOpened ? texts.continueInPopup : null}
          </p>
        </div>
      }
    >
      {hasEnded ? texts.ended : allowsVisitors ? 'Ask your questions here' : 'Sign in to chat'}
    </EmptyState>
  )
}
