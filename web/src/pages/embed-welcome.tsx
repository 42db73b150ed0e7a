import {
  type EmbeddedChannel,
  type EmbeddedSignIn,
  embeddingApi,
  visitorDays,
} from '@lyceum/contract/embedding'
import { useMutation } from '@tanstack/react-query'
import { Hourglass, LogIn, MessagesSquare } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import type { EmbeddedUser } from '#features/auth/embedded-sign-in.ts'
import { setFirstQuestion } from '#features/chats/first-questions.ts'
import { exhaustedLabels } from '#features/chats/quotas/quota-labels.ts'
import { QuestionList } from '#features/chats/starters/StarterQuestions.tsx'
import { onSignInFromPopup, openSignInPopup } from '#features/embedding/sign-in-popup.ts'
import { texts } from '#texts/embedded.ts'
import { product } from '#theme/product.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'

/** `closed`: the window is gone, or a page in it has cut it off, and no sign-in has arrived. */
type PopupState = 'none' | 'open' | 'cancelled' | 'closed'

const popupTexts: Record<PopupState, string | null> = {
  none: null,
  open: texts.continueInPopup,
  cancelled: texts.signInCancelled,
  closed: texts.signInUnfinished,
}

/** Signs in with a popup. `open` returns false if the browser did not open it. */
export function useSignInPopup(
  channelId: string,
  site: string,
  onSignedIn: (signIn: EmbeddedSignIn) => void,
) {
  const [popup, setPopup] = useState<Window | null>(null)
  const [state, setState] = useState<PopupState>('none')
  // Listens even when the popup has closed: its message may arrive later.
  useEffect(() => {
    if (popup === null) return
    return onSignInFromPopup(popup, (signIn) => {
      if (signIn === null) setState('cancelled')
      else onSignedIn(signIn)
    })
  }, [popup, onSignedIn])
  useEffect(() => {
    if (popup === null || state !== 'open') return
    // No event tells that a window was closed.
    const check = setInterval(() => {
      if (popup.closed) setState('closed')
    }, 500)
    return () => clearInterval(check)
  }, [popup, state])
  return {
    /** What to tell the user about the popup; null if nothing. */
    note: popupTexts[state],
    open: (): boolean => {
      const opened = openSignInPopup(channelId, site)
      setPopup(opened)
      setState(opened === null ? 'none' : 'open')
      return opened !== null
    },
  }
}

interface Props {
  channel: EmbeddedChannel
  /** Questions that visitors can start with. */
  questions: readonly string[]
  site: string
  /** The user whose sign-in has ended. */
  former: EmbeddedUser | null
  onSignedIn: (signIn: EmbeddedSignIn) => void
}

/** Offers to sign in, and to chat without an account where that is allowed. The bar above it names the channel. */
export function EmbedWelcome({ channel, questions, site, former, onSignedIn }: Props) {
  const { _id: channelId, allowsVisitors, description, usedUp } = channel
  const popup = useSignInPopup(channelId, site, onSignedIn)
  const [isBlocked, setIsBlocked] = useState(false)
  const visit = useMutation({
    mutationFn: (_question: string | null) =>
      call(embeddingApi.visit, { params: { channelId }, body: { site } }),
    onSuccess: (signIn, question) => {
      if (question !== null) setFirstQuestion(signIn.user._id, question)
      onSignedIn(signIn)
    },
  })
  const problem = isBlocked
    ? texts.popupBlocked
    : visit.error === null
      ? null
      : messageOf(visit.error, texts.startFailed)
  // As a visitor, a member would not find their chats.
  const isFormerMember = former !== null && former.email !== null
  const canStart = allowsVisitors && usedUp === undefined
  const startsFirst = canStart && !isFormerMember
  const limit = usedUp === undefined || isFormerMember ? null : exhaustedLabels(usedUp)
  const about = former === null && description !== null && (
    <span dir="auto" className="wrap-anywhere mt-2 block max-w-sm font-normal text-muted text-sm">
      {description}
    </span>
  )
  const startButton = canStart && (
    <Button
      variant={startsFirst ? 'primary' : 'ghost'}
      busy={visit.isPending}
      onClick={() => visit.mutate(null)}
    >
      {startsFirst ? 'Start chat' : 'Chat without an account'}
    </Button>
  )
  function ask(question: string): void {
    if (!visit.isPending) visit.mutate(question)
  }
  return (
    <>
      <EmptyState
        icon={startsFirst ? MessagesSquare : limit === null ? LogIn : Hourglass}
        hint={
          isFormerMember ? (
            texts.signInAgain
          ) : limit !== null ? (
            <>
              {limit.hint}
              {about}
            </>
          ) : allowsVisitors ? (
            `An AI answers. Administrators of ${product.name} can read your chats. They are deleted ${visitorDays} days after your last message.`
          ) : (
            `Use your ${product.name} account. A small window opens for that.`
          )
        }
        action={
          <div className="flex flex-col items-center gap-3">
            {problem !== null && <Banner tone="danger">{problem}</Banner>}
            {startsFirst && startButton}
            <Button variant={startsFirst ? 'ghost' : 'primary'} onClick={() => setIsBlocked(!popup.open())}>
              Sign in
            </Button>
            {!startsFirst && startButton}
            <p role="status" className="max-w-sm text-muted text-sm empty:hidden">
              {popup.note}
            </p>
          </div>
        }
      >
        {limit !== null
          ? limit.title
          : former !== null
            ? texts.ended
            : allowsVisitors
              ? 'Ask a question'
              : 'Sign in to chat'}
        {limit === null && about}
      </EmptyState>
      {startsFirst && questions.length > 0 && (
        <div className="-mt-8">
          <QuestionList questions={questions} onChoose={ask} />
        </div>
      )}
    </>
  )
}
