import { useId, useState } from 'react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { useCountdown } from '#lib/use-countdown.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { useSessionActions } from './SessionProvider.tsx'

function padTwoDigits(count: number): string {
  return String(count).padStart(2, '0')
}

function formatWait(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${padTwoDigits(seconds % 60)}`
  return `${Math.floor(minutes / 60)} h ${padTwoDigits(minutes % 60)} min`
}

function explainRefusal(error: unknown): string {
  // The server's message is about an entered code, but the user has entered none.
  if (error instanceof ApiError && error.code === 'auth.code_invalid') return texts.signIn.expired
  return messageOf(error, texts.signIn.resend.failed)
}

interface Props {
  resendAt: number
  /** Otherwise an administrator hands over the code. */
  isMailed: boolean
  onSent: () => void
}

/** A button that requests another code, disabled until the server's cool-down is over. */
export function ResendCode({ resendAt, isMailed, onSent }: Props) {
  const session = useSessionActions()
  const secondsLeft = useCountdown(resendAt)
  const waitId = useId()
  const [isSending, setIsSending] = useState(false)
  const [outcome, setOutcome] = useState<{ refusal: string | null } | null>(null)
  const mustWait = secondsLeft > 0

  async function resend(): Promise<void> {
    if (mustWait) return
    setIsSending(true)
    setOutcome(null)
    try {
      await session.resendCode()
      setOutcome({ refusal: null })
      onSent()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no-email') {
        toast.error(texts.signIn.noPendingEmail)
      } else setOutcome({ refusal: explainRefusal(error) })
    } finally {
      setIsSending(false)
    }
  }

  return (
    <div className="mt-6 border-hairline border-t pt-5">
      {/* Always rendered, because screen readers announce only changes to an existing region. */}
      <div aria-live="polite" className="[&:not(:empty)]:mb-4">
        {outcome?.refusal === null && (
          <Banner tone="success">
            {isMailed ? texts.signIn.resend.done : texts.signIn.codeCreatedAgain}
          </Banner>
        )}
        {outcome?.refusal && <Banner tone="danger">{outcome.refusal}</Banner>}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="text-muted text-sm">Didn’t get a code?</p>
        <Button
          size="small"
          busy={isSending}
          // Not `disabled`, so that it stays focusable.
          aria-disabled={mustWait || undefined}
          aria-describedby={mustWait ? waitId : undefined}
          onClick={() => void resend()}
        >
          Resend code
          {mustWait && (
            <span aria-hidden="true" className="text-muted tabular-nums">
              {formatWait(secondsLeft)}
            </span>
          )}
        </Button>
      </div>
      <p id={waitId} className="sr-only">
        {mustWait && `Available in ${formatWait(secondsLeft)}`}
      </p>
      <p aria-live="polite" className="sr-only">
        {!mustWait && 'You can request another code now.'}
      </p>
    </div>
  )
}
