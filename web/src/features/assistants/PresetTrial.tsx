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
import { characterForm, type PresetEntries } from './preset-form.ts'

const messageSchema = presetTrial.shape.message

function timeOf(milliseconds: number): string {
  return milliseconds < 1000
    ? `${milliseconds} ms`
    : `${(milliseconds / 1000).toLocaleString(undefined, { maximumFractionDigits: 1, minimumFractionDigits: 1 })} s`
}

/** Asks the assistant as it stands in the form, saved or not. */
export function PresetTrial({ entries }: { entries: PresetEntries }) {
  const headingId = useId()
  const mayTry = useCan('canManageSettings')
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<{ message?: string | undefined; rest?: string | undefined }>({})
  const attempt = useTryPreset()

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (attempt.isPending) return
    if (!mayTry) {
      setWrong({ rest: texts.permissions.manageSettings })
      return
    }
    const said = messageSchema.safeParse(message)
    const character = characterForm.safeParse(entries)
    setWrong({
      message: said.error?.issues[0]?.message,
      rest: character.error && `An entry above is not right yet: ${character.error.issues[0]?.message}.`,
    })
    if (said.success && character.success) attempt.mutate({ ...character.data, message: said.data })
  }
  const refusal =
    wrong.rest ?? (attempt.error ? messageOf(attempt.error, texts.assistants.tryFailed) : undefined)
  const outcome = useRef<HTMLDivElement>(null)
  // What came stands below the button, where the window may end.
  useEffect(() => {
    if (refusal !== undefined || attempt.data !== undefined)
      outcome.current?.scrollIntoView?.({ block: 'nearest' })
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
        Asks the model with what is entered above, saved or not. Nothing of it is kept in a chat.
      </p>
      <form noValidate onSubmit={submit} className="mt-3 flex flex-col gap-3">
        <Field label="Message" error={wrong.message}>
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
        <Button type="submit" busy={attempt.isPending} aria-disabled={!mayTry} className="self-start">
          Ask
        </Button>
      </form>
      <div ref={outcome} className="scroll-mb-6">
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
                Answered by {attempt.data.model} in {timeOf(attempt.data.milliseconds)}
              </figcaption>
            </figure>
          )}
        </div>
      </div>
    </section>
  )
}
