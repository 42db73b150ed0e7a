import { type TestQuestion, testQuestionMaximum } from '@lyceum/contract/test-questions'
import { FileQuestion, FileX, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { useRemoveQuestion } from './mutations.ts'

function Texts({ label, texts: shown }: { label: string; texts: readonly string[] }) {
  if (shown.length === 0) return null
  return (
    <p dir="auto" className="wrap-anywhere mt-0.5 text-start text-muted text-xs">
      {label}: {shown.map((text) => `“${text}”`).join(', ')}
    </p>
  )
}

interface RowProps {
  question: TestQuestion
  onEdit: () => void
  onDelete: () => void
}

function Row({ question, onEdit, onDelete }: RowProps) {
  return (
    <li className="flex items-start gap-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 py-1">
        <p dir="auto" className="wrap-anywhere text-start font-medium text-sm">
          {question.question}
        </p>
        {question.isUnanswerable && <p className="mt-1 text-muted text-xs">Should be refused</p>}
        <ul aria-label="Expected documents" className="mt-1 flex flex-col gap-0.5 text-muted text-xs">
          {question.expected.map(({ _id, title, isDeleted }) => (
            <li key={_id} className="flex items-start gap-1.5">
              {isDeleted && <FileX aria-hidden="true" className="mt-px size-3.5 shrink-0 text-danger" />}
              <span dir="auto" className="wrap-anywhere line-clamp-2 min-w-0 text-start">
                {title}
              </span>
            </li>
          ))}
        </ul>
        <Texts label="Must contain" texts={question.mustContain} />
        <Texts label="Must not contain" texts={question.mustNotContain} />
      </div>
      <IconButton icon={Pencil} label="Edit" aria-description={question.question} onClick={onEdit} />
      <IconButton
        icon={Trash2}
        label="Delete"
        tone="danger"
        tooltipAlign="end"
        aria-description={question.question}
        onClick={onDelete}
      />
    </li>
  )
}

interface Props {
  channelId: string
  questions: readonly TestQuestion[]
  onAdd: () => void
  onEdit: (question: TestQuestion) => void
}

export function TestBenchQuestions({ channelId, questions, onAdd, onEdit }: Props) {
  const remove = useRemoveQuestion(channelId)
  const [questionToDelete, setQuestionToDelete] = useState<TestQuestion | null>(null)
  function confirm(): void {
    if (questionToDelete === null) return
    remove.mutate(questionToDelete._id, {
      onSuccess: () => banner.success(texts.testBench.remove.done),
      onError: (error) => banner.error(messageOf(error, texts.testBench.remove.failed)),
      onSettled: () => setQuestionToDelete(null),
    })
  }
  const add = (
    <Button disabled={questions.length >= testQuestionMaximum} onClick={onAdd}>
      <Plus aria-hidden="true" className="size-4" />
      Add Question
    </Button>
  )
  if (questions.length === 0)
    return (
      <EmptyState
        icon={FileQuestion}
        hint="Save typical questions with the documents that should answer them, and see at any time how they would be answered."
        action={add}
      >
        There are no test questions yet.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm tabular-nums">
          {questions.length.toLocaleString()} of at most {testQuestionMaximum}
        </p>
        {add}
      </div>
      <ul
        aria-label="Questions"
        className="divide-y divide-hairline rounded-card border border-hairline bg-raised"
      >
        {questions.map((question) => (
          <Row
            key={question._id}
            question={question}
            onEdit={() => onEdit(question)}
            onDelete={() => setQuestionToDelete(question)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={questionToDelete !== null}
        title="Delete this question?"
        confirmLabel="Delete"
        busy={remove.isPending}
        onConfirm={confirm}
        onCancel={() => setQuestionToDelete(null)}
      >
        <span className="wrap-anywhere">“{questionToDelete?.question}”</span> will no longer be run. Earlier
        runs keep its results.
      </ConfirmDialog>
    </div>
  )
}
