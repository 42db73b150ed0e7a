import { useQuery } from '@tanstack/react-query'
import { ArrowUp, Lightbulb } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { startersQuery } from './queries.ts'

interface QuestionListProps {
  questions: readonly string[]
  onChoose: (question: string) => void
}

/** Questions to begin with, as buttons. */
export function QuestionList({ questions, onChoose }: QuestionListProps) {
  return (
    <ul aria-label="Suggested questions" className="mx-auto flex w-full max-w-xl flex-col gap-2 px-4 pb-6">
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            onClick={() => onChoose(question)}
            className="group flex min-h-11 w-full items-center gap-3 rounded-card border border-hairline bg-raised px-4 py-2.5 text-start text-sm transition-colors hover:border-link"
          >
            <span dir="auto" className="wrap-anywhere min-w-0 flex-1">
              {question}
            </span>
            <ArrowUp
              aria-hidden="true"
              className="size-4 shrink-0 text-muted group-hover:text-link"
              strokeWidth={1.75}
            />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface Props {
  channelId: string
  onChoose: (question: string) => void
  /** Opens the form for them. Undefined unless the user administers the channel. */
  onAdd: (() => void) | undefined
}

/** The questions of an empty chat. If there are none, administrators of the channel can add some. */
export function StarterQuestions({ channelId, onChoose, onAdd }: Props) {
  const { data: questions } = useQuery(startersQuery(channelId))
  if (questions === undefined) return null
  if (questions.length === 0)
    return (
      onAdd !== undefined && (
        <div className="flex justify-center px-4 pb-6">
          <Button onClick={onAdd}>
            <Lightbulb aria-hidden="true" className="size-4" />
            Add starter questions
          </Button>
        </div>
      )
    )
  return <QuestionList questions={questions} onChoose={onChoose} />
}
