import { presetTrial } from '@lyceum/contract/assistants'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { useTryPreset } from './mutations.ts'
import { type PresetEntries, trialForm } from './preset-form.ts'

const messageSchema = presetTrial.shape.message

function formatDuration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${milliseconds} ms`
    : `${(milliseconds / 1000).toLocaleString(undefined, { maximumFractionDigits: 1, minimumFractionDigits: 1 })} s`
}

/** Tests the assistant with the current values of the form, saved or not. */
export function PresetTrial({ entries }: { entries: PresetEntries }) {
  const headingId = useId()
  const canTry = useCan('canManageSettings')
  const [message, setMessage] = useState('')
  const [errors, setErrors] = useState<{ message?: string | undefined; form?: string | undefined }>({})
  const attempt = useTryPreset()

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (attempt.isPending) return
    if (!canTry) {
      setErrors({ form: texts.permissions.manageSettings })
      return
    }
    const parsedMessage = messageSchema.safeParse(message)
    const parsedForm = trialForm.safeParse(entries)
    setErrors({
      message: parsedMessage.error?.issues[0]?.message,
      form: parsedForm.error && `Please fix this first: ${parsedForm.error.issues[0]?.message}.`,
    })
    if (parsedMessage.success && parsedForm.success)
      attempt.mutate({ ...parsedForm.data, message: parsedMessage.data })
  }
  const refusal =
    errors.form ?? (attempt.error ? messageOf(attempt.error, texts.assistants.tryFailed) : undefined)
  const resultRef = useRef<HTMLDivElement>(null)
  // The result appears below the button and may be outside the visible part of the dialog.
  useEffect(() => {
    if (refusal !== undefined || attempt.data !== undefined)
      resultRef.current?.scrollIntoView?.({ block: 'nearest' })
  }, [refusal, attempt.data])
  return (
    <section
      aria-labelledby={headingId}
      className="mt-6 rounded-card border border-hairline bg-surface p-4 dark:bg-surface-2"
    >
      <h3 id={headingId} className="font-medium text-base">
        Try it
      </h3>
      <p className="mt-0.5 text-muted text-sm">
        Sends a message with the settings above, even if they are not saved. Nothing is stored.
      </p>
      <form noValidate onSubmit={submit} className="mt-3 flex flex-col gap-3">
        <Field label="Message" error={errors.message}>
          {(control) => (
            <TextArea
              {...control}
              dir="auto"
              rows={2}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={attempt.isPending} aria-disabled={!canTry} className="self-start">
          Ask
        </Button>
      </form>
      <div ref={resultRef} className="scroll-mb-6">
        {refusal !== undefined && (
          <div className="mt-3">
            <Banner tone="danger">{refusal}</Banner>
          </div>
        )}
        <div aria-live="polite">
          {attempt.data !== undefined && (
            <figure className="mt-3">
              <blockquote
                dir="auto"
                className="wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap rounded-control border border-hairline bg-page px-3 py-2 text-start text-sm"
              >
                {attempt.data.reply}
              </blockquote>
              <figcaption className="wrap-anywhere mt-1.5 text-muted text-xs tabular-nums">
                Answered by {attempt.data.model} in {formatDuration(attempt.data.milliseconds)}
              </figcaption>
            </figure>
          )}
        </div>
      </div>
    </section>
  )
}
