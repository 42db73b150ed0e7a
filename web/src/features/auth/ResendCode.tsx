import { useId, useState } from 'react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { useCountdown } from '#lib/use-countdown.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { useSessionActions } from './SessionProvider.tsx'

function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}

function waitWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
}

function refusalWords(error: unknown): string {
  // The server's words are about the code that was entered, and none was.
  if (error instanceof ApiError && error.code === 'auth.code_invalid') return texts.signIn.expired
  return messageOf(error, texts.signIn.resend.failed)
}

/** Has another code sent, but not before the server would do so. */
export function ResendCode({ resendAt }: { resendAt: number }) {
  const session = useSessionActions()
  const left = useCountdown(resendAt)
  const waitId = useId()
  const [isSending, setIsSending] = useState(false)
  const [outcome, setOutcome] = useState<{ tone: 'success' | 'danger'; text: string } | null>(null)
  const mustWait = left > 0

  async function resend(): Promise<void> {
    if (mustWait) return
    setIsSending(true)
    setOutcome(null)
    try {
      await session.resendCode()
      setOutcome({ tone: 'success', text: texts.signIn.resend.done })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no-email') {
        toast.error(texts.signIn.noPendingEmail)
      } else setOutcome({ tone: 'danger', text: refusalWords(error) })
    } finally {
      setIsSending(false)
    }
  }

  return (
    <div className="mt-6 border-hairline border-t pt-5">
      {/* Here from the start: screen readers announce what is added to a region they know. */}
      <div aria-live="polite" className="[&:not(:empty)]:mb-4">
        {outcome && <Banner tone={outcome.tone}>{outcome.text}</Banner>}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="text-muted text-sm">No code yet?</p>
        <Button
          size="small"
          busy={isSending}
          // It keeps the focus and can be found; only pressing it does nothing yet.
          aria-disabled={mustWait || undefined}
          aria-describedby={mustWait ? waitId : undefined}
          onClick={() => void resend()}
        >
          Resend code
          {mustWait && (
            <span aria-hidden="true" className="text-muted tabular-nums">
              {waitWords(left)}
            </span>
          )}
        </Button>
      </div>
      <p id={waitId} className="sr-only">
        {mustWait && `Possible in ${waitWords(left)}`}
      </p>
      <p aria-live="polite" className="sr-only">
        {!mustWait && 'You can ask for another code now.'}
      </p>
    </div>
  )
}
