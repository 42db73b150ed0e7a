import type { Document } from '@lyceum/contract/documents'
import type { AnswerChange, DocumentChange } from '@lyceum/contract/test-questions'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Progress } from '#ui/Progress.tsx'
import { Status, type Tone } from '#ui/Status.tsx'
import { answerChangesQuery } from './queries.ts'
import { TestBenchAnswer } from './TestBenchAnswer.tsx'

const changeLabels: Record<AnswerChange['change'], { tone: Tone; label: string }> = {
  gained: { tone: 'success', label: 'Would pass' },
  lost: { tone: 'danger', label: 'Would fail' },
  same: { tone: 'neutral', label: 'Another answer' },
}

function Change({ change: { question, change, after } }: { change: AnswerChange }) {
  const { tone, label } = changeLabels[change]
  return (
    <li className="flex flex-col gap-1.5 py-2.5">
      <p dir="auto" className="wrap-anywhere text-start font-medium text-ink text-sm">
        {question}
      </p>
      <Status tone={tone} className="self-start">
        {label}
      </Status>
      <TestBenchAnswer answer={after} />
    </li>
  )
}

interface Props {
  document: Document
  change: DocumentChange
}

function Changes({ document, change }: Props) {
  const compared = useQuery(answerChangesQuery(document, change))
  if (compared.error !== null)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-danger text-sm">{messageOf(compared.error, texts.testBench.compareFailed)}</p>
        <Button size="small" onClick={() => void compared.refetch()}>
          Try again
        </Button>
      </div>
    )
  if (compared.data === undefined) return <Progress label="Asking the test questions…" />
  const { total, changes } = compared.data
  if (total === 0)
    return change === 'remove' ? null : (
      <p className="text-muted text-sm">This channel has no test questions.</p>
    )
  if (changes.length === 0)
    return (
      <p className="text-muted text-sm">
        {`The channel’s ${formatCount(total, 'test question')} would be answered as before.`}
      </p>
    )
  return (
    <>
      <p className="text-sm">
        {`${changes.length.toLocaleString()} of ${formatCount(total, 'test question')} would be answered differently:`}
      </p>
      <ul
        aria-label="Answered differently"
        className="mt-1 max-h-64 divide-y divide-hairline overflow-y-auto rounded-control border border-hairline px-3"
      >
        {changes.map((changed) => (
          <Change key={changed.questionId} change={changed} />
        ))}
      </ul>
    </>
  )
}

/** Shows which test questions would be answered differently without an approved document. */
export function ChangesByRemoval({ document }: Pick<Props, 'document'>) {
  const canManageDocuments = useCan('canManageDocuments')
  if (!canManageDocuments || document.answering === null) return null
  return (
    <div aria-live="polite" className="mt-3">
      <Changes document={document} change="remove" />
    </div>
  )
}

/** Shows, when asked, which test questions would be answered differently once a pending document is approved. */
export function ChangesByApproval({ document }: Pick<Props, 'document'>) {
  const canManageDocuments = useCan('canManageDocuments')
  const [isAsked, setIsAsked] = useState(false)
  if (!canManageDocuments || document.status !== 'pending') return null
  return (
    <div aria-live="polite" className="mt-3">
      {isAsked ? (
        <Changes document={document} change="approve" />
      ) : (
        <Button size="small" onClick={() => setIsAsked(true)}>
          <FlaskConical aria-hidden="true" className="size-4" />
          Try the test questions
        </Button>
      )}
    </div>
  )
}
