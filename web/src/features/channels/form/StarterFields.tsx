import { starterMaxCount } from '@lyceum/contract/channels'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { TextInput } from '#ui/TextInput.tsx'

/** One entry for each field. */
export function fillStarters(questions: readonly string[] = []): string[] {
  return Array.from({ length: starterMaxCount }, (_, index) => questions[index] ?? '')
}

interface Props {
  /** As returned by `fillStarters`. */
  value: readonly string[]
  error: string | undefined
  onChange: (questions: string[]) => void
}

export function StarterFields({ value, error, onChange }: Props) {
  const hintId = useId()
  const errorId = useId()
  return (
    <fieldset aria-describedby={error === undefined ? hintId : `${errorId} ${hintId}`}>
      <legend className="mb-1.5 font-medium text-sm">Starter questions (optional)</legend>
      <div className="flex flex-col gap-2">
        {value.map((question, index) => (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields keep their places
            key={index}
            name="starterQuestions"
            aria-label={`Starter question ${index + 1}`}
            aria-invalid={error !== undefined || undefined}
            dir="auto"
            autoComplete="off"
            value={question}
            onChange={({ target }) =>
              onChange(value.map((other, at) => (at === index ? target.value : other)))
            }
          />
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} className="mt-1.5 flex items-start gap-1.5 text-danger text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      <p id={hintId} className="mt-1.5 text-muted text-xs">
        Offered in empty chats. If you set none, chats suggest questions about the channel’s newest documents.
      </p>
    </fieldset>
  )
}
