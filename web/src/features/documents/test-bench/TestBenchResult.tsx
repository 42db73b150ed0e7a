import type { TestChange, TestResult } from '@lyceum/contract/test-questions'
import { ChevronRight, type LucideIcon, Sparkles, TrendingDown, TrendingUp } from 'lucide-react'
import { useId, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { Status, type Tone } from '#ui/Status.tsx'
import { TestBenchAnswer } from './TestBenchAnswer.tsx'
import { TestBenchPassages } from './TestBenchPassages.tsx'

const changeStyles: Record<Exclude<TestChange, 'same'>, { tone: Tone; icon: LucideIcon; label: string }> = {
  gained: { tone: 'success', icon: TrendingUp, label: 'Gained' },
  lost: { tone: 'danger', icon: TrendingDown, label: 'Lost' },
  new: { tone: 'neutral', icon: Sparkles, label: 'New question' },
}

function Change({ change }: { change: TestChange }) {
  if (change === 'same') return null
  const { tone, icon, label } = changeStyles[change]
  return (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  )
}

/** Whether the question passed, and if not, why. */
function Outcome({ result }: { result: TestResult }) {
  const { isPassed, isUnanswerable, rank, missing, unwanted } = result
  if (isUnanswerable)
    return <Status tone={isPassed ? 'success' : 'danger'}>{isPassed ? 'Refused' : 'Answered'}</Status>
  return (
    <>
      {rank === null ? (
        <Status tone="danger">Not found</Status>
      ) : (
        <Status tone={isPassed ? 'success' : 'neutral'} className="tabular-nums">
          Found at rank {rank}
        </Status>
      )}
      {missing.map((text) => (
        <Status key={text} tone="danger">
          <span className="wrap-anywhere">Does not contain “{text}”</span>
        </Status>
      ))}
      {unwanted.map((text) => (
        <Status key={text} tone="danger">
          <span className="wrap-anywhere">Contains “{text}”</span>
        </Status>
      ))}
    </>
  )
}

interface Props {
  result: TestResult
  /** The change since the run that it is compared with. */
  change: TestChange
}

/** One question of a run: whether an expected document was found and, when expanded, all passages. */
export function TestBenchResult({ result, change }: Props) {
  const passagesId = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li className="px-3 py-3">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? passagesId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="-mx-1 flex max-w-full items-start gap-2 rounded-control px-1 py-1 text-start hover:text-link pointer-coarse:min-h-11"
      >
        <ChevronRight
          aria-hidden="true"
          className={cx('mt-0.5 size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
        />
        <span dir="auto" className={cx('wrap-anywhere font-medium text-sm', !isOpen && 'line-clamp-3')}>
          {result.question}
        </span>
      </button>
      <div className="flex flex-col gap-1.5 ps-6">
        <div className="flex flex-wrap gap-1.5">
          <Outcome result={result} />
          <Change change={change} />
        </div>
        <p dir="auto" className="wrap-anywhere line-clamp-3 text-start text-muted text-xs">
          Expected:{' '}
          {result.isUnanswerable ? 'a refusal' : result.expected.map(({ title }) => title).join(', ')}
        </p>
      </div>
      {isOpen && (
        <div id={passagesId} className="mt-2 sm:ps-6">
          {result.answer !== null && <TestBenchAnswer answer={result.answer} />}
          <TestBenchPassages label={`Found for ${result.question}`} passages={result.passages} />
        </div>
      )}
    </li>
  )
}
