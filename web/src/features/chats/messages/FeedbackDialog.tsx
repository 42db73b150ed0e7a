import { type Feedback, feedbackCommentMaxLength, feedbackReasons } from '@lyceum/contract/feedback'
import { type FormEvent, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { reasonLabels } from '#texts/feedback.ts'
import { texts } from '#texts/member.ts'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'

interface FormProps {
  /** Rejects if the feedback cannot be saved. */
  onSend: (feedback: Omit<Feedback, 'rating'>) => Promise<void>
  onSkip: () => void
}

function FeedbackForm({ onSend, onSkip }: FormProps) {
  const [reason, setReason] = useState<Feedback['reason']>(null)
  const [comment, setComment] = useState('')
  const isTooLong = comment.trim().length > feedbackCommentMaxLength
  const [isSending, setIsSending] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  async function send(): Promise<void> {
    setIsSending(true)
    setRefusal(null)
    try {
      await onSend({ reason, comment: comment.trim() })
    } catch (error) {
      setRefusal(messageOf(error, texts.chat.rate.failed))
      setIsSending(false)
    }
  }
  function handleSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!isTooLong && !isSending) void send()
  }
  return (
    <FormDialog
      size="small"
      title="What went wrong?"
      description="Your feedback helps improve this channel."
      isChanged={reason !== null || comment !== ''}
      canSubmitUnchanged
      unsavedText="The rating is saved. Your reason and comment have not been sent."
      submitLabel="Send"
      cancelLabel="Skip"
      isSubmitting={isSending}
      refusal={refusal}
      onSubmit={handleSubmit}
      onClose={onSkip}
    >
      <fieldset className="flex flex-col">
        <legend className="mb-1 font-medium text-sm">Reason</legend>
        {feedbackReasons.map((each) => (
          <label key={each} className="flex min-h-9 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
            <input
              type="radio"
              name="reason"
              checked={reason === each}
              onChange={() => setReason(each)}
              className="size-4 shrink-0 accent-primary-500"
            />
            {reasonLabels[each]}
          </label>
        ))}
      </fieldset>
      <Field
        label="Comment (optional)"
        error={isTooLong ? `At most ${feedbackCommentMaxLength} characters` : undefined}
      >
        {(control) => (
          <TextArea
            {...control}
            dir="auto"
            rows={3}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

interface Props extends FormProps {
  open: boolean
}

/** Asks for the reason for a bad rating. The rating itself has already been sent. */
export function FeedbackDialog({ open, ...form }: Props) {
  return open ? <FeedbackForm {...form} /> : null
}
