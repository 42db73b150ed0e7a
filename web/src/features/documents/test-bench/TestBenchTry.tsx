import { questionMaxLength } from '@lyceum/contract/test-questions'
import { type FormEvent, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useTryQuestion } from './mutations.ts'
import { TestBenchPassages } from './TestBenchPassages.tsx'

interface Props {
  channelId: string
  onSave: (question: string) => void
}

/** Shows what any question finds, without saving anything. */
export function TestBenchTry({ channelId, onSave }: Props) {
  const [question, setQuestion] = useState('')
  const attempt = useTryQuestion(channelId)
  const { data, error, variables } = attempt
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!attempt.isPending && question.trim() !== '') attempt.mutate(question.trim())
  }
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Try a question">
          {(control) => (
            <TextInput
              {...control}
              dir="auto"
              autoComplete="off"
              maxLength={questionMaxLength}
              value={question}
              onChange={(event) => setQuestion(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" busy={attempt.isPending} disabled={question.trim() === ''}>
            Try it
          </Button>
          {data !== undefined && variables !== undefined && (
            <Button onClick={() => onSave(variables)}>Save as test question</Button>
          )}
        </div>
      </form>
      {error !== null && <Banner tone="danger">{messageOf(error, texts.testBench.tryFailed)}</Banner>}
      <div aria-live="polite" className="flex flex-col gap-2">
        {data !== undefined && variables !== undefined && (
          <>
            <p dir="auto" className="wrap-anywhere text-start text-muted text-sm">
              {formatCount(data.passages.length, 'passage')} found for “{variables}”
            </p>
            <TestBenchPassages label={`Found for ${variables}`} passages={data.passages} />
          </>
        )}
      </div>
    </div>
  )
}
