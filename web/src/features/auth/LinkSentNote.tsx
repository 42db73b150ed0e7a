import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { type ResetLinkRequest, requestResetLink } from './ForgotPasswordForm.tsx'

interface Props {
  request: ResetLinkRequest
  canSendEmail: boolean
  onUseAnotherEmail: () => void
}

/** The text is the same for every address, so that it does not reveal which addresses have an account. */
export function LinkSentNote({ request: { email, message }, canSendEmail, onUseAnotherEmail }: Props) {
  const text = useRef<HTMLDivElement>(null)
  const [isSending, setIsSending] = useState(false)
  const [outcome, setOutcome] = useState<{ tone: 'success' | 'danger'; text: string } | null>(null)

  // Move the focus here, because the form that had it is gone.
  useEffect(() => text.current?.focus(), [])

  async function sendAgain(): Promise<void> {
    setIsSending(true)
    setOutcome(null)
    try {
      await requestResetLink(email)
      setOutcome({
        tone: 'success',
        text: canSendEmail ? texts.signIn.linkSentAgain : texts.signIn.linkSavedAgain,
      })
    } catch (error) {
      setOutcome({ tone: 'danger', text: messageOf(error, texts.signIn.failed) })
    } finally {
      setIsSending(false)
    }
  }

  return (
    <div className="flex flex-col gap-5">
      <div ref={text} tabIndex={-1} className="flex flex-col gap-3 rounded-sm text-sm outline-none">
        <p>{message || texts.signIn.linkSent}</p>
        <p className="text-muted">
          You entered <span className="wrap-anywhere font-medium text-ink">{email}</span>.{' '}
          {!canSendEmail && `${texts.signIn.linkSaved} `}
          The link is valid for 30 minutes and works once.
          {canSendEmail && ' If nothing arrives, check your spam folder.'}
        </p>
      </div>
      <div>
        <div aria-live="polite" className="[&:not(:empty)]:mb-5">
          {outcome && <Banner tone={outcome.tone}>{outcome.text}</Banner>}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button busy={isSending} onClick={() => void sendAgain()} className="flex-1 whitespace-nowrap">
            {isSending ? 'Sending...' : canSendEmail ? 'Send again' : 'Save a new link'}
          </Button>
          <Button onClick={onUseAnotherEmail} className="flex-1 whitespace-nowrap">
            Use another email
          </Button>
        </div>
      </div>
    </div>
  )
}
