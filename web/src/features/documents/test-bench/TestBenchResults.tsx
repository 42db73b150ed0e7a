import {
  changeSince,
  type TestChange,
  type TestResult,
  type TestRun,
  type TestRunSummary,
} from '@lyceum/contract/test-questions'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { runLabel } from './labels.ts'
import { testRunQuery } from './queries.ts'
import { TestBenchResult } from './TestBenchResult.tsx'

const shows = { all: 'All questions', missed: 'Not found', changed: 'Changed' }
type Show = keyof typeof shows

interface Compared {
  result: TestResult
  change: TestChange
}

/** Without another run to compare with, a result says itself how it differs from the run before it. */
function compare({ results }: TestRun, base: TestRun | undefined): Compared[] {
  const earlier = new Map(base?.results.map((result) => [result.questionId, result]))
  return results.map((result) => ({
    result,
    change: base ? changeSince(result, earlier.get(result.questionId)) : result.change,
  }))
}

function isShown({ result, change }: Compared, show: Show): boolean {
  if (show === 'missed') return !result.isFound
  return show === 'all' || change !== 'same'
}

interface ResultListProps {
  run: TestRun
  base: TestRun | undefined
}

function ResultList({ run, base }: ResultListProps) {
  const [show, setShow] = useState<Show>('all')
  const compared = compare(run, base).filter((one) => isShown(one, show))
  return (
    <>
      <Field label="Show">
        {(control) => (
          <Select
            {...control}
            value={show}
            onChange={(event) => setShow(event.target.value as Show)}
            className="sm:w-64"
          >
            {Object.entries(shows).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {compared.length === 0 ? (
        <p className="py-4 text-muted text-sm">No question is like that in this run.</p>
      ) : (
        <ul
          aria-label="Results"
          className="divide-y divide-hairline rounded-card border border-hairline bg-raised"
        >
          {compared.map(({ result, change }) => (
            <TestBenchResult key={result.questionId} result={result} change={change} />
          ))}
        </ul>
      )}
    </>
  )
}

interface Props {
  channelId: string
  /** Newest first. */
  runs: readonly TestRunSummary[]
  /** The run that is shown; another one than it is compared with. */
  shownId: string
  onShow: (runId: string) => void
}

/** What a run found, against the run before it or any other. */
function Comparison({ channelId, runs, shownId, onShow }: Props) {
  const [baseId, setBaseId] = useState('')
  const isCompared = baseId !== '' && baseId !== shownId && runs.some(({ _id }) => _id === baseId)
  const shown = useQuery(testRunQuery(channelId, shownId))
  const base = useQuery({ ...testRunQuery(channelId, baseId), enabled: isCompared })
  const error = shown.error ?? (isCompared ? base.error : null)
  const isReady = shown.data !== undefined && (!isCompared || base.data !== undefined)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Run">
          {(control) => (
            <Select {...control} value={shownId} onChange={(event) => onShow(event.target.value)}>
              {runs.map((run) => (
                <option key={run._id} value={run._id}>
                  {runLabel(run)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Compared with">
          {(control) => (
            <Select
              {...control}
              value={isCompared ? baseId : ''}
              onChange={(event) => setBaseId(event.target.value)}
            >
              <option value="">The run before it</option>
              {runs
                .filter(({ _id }) => _id !== shownId)
                .map((run) => (
                  <option key={run._id} value={run._id}>
                    {runLabel(run)}
                  </option>
                ))}
            </Select>
          )}
        </Field>
      </div>
      {error !== null && (
        <div className="flex flex-col items-start gap-3">
          <Banner tone="danger">{messageOf(error, texts.testBench.loadRunFailed)}</Banner>
          <Button onClick={() => void (shown.isError ? shown.refetch() : base.refetch())}>Try again</Button>
        </div>
      )}
      {error === null && !isReady && <Skeleton className="h-60 rounded-card" />}
      {error === null && isReady && <ResultList run={shown.data} base={isCompared ? base.data : undefined} />}
    </div>
  )
}

export function TestBenchResults(props: Props) {
  return props.runs.length === 0 ? (
    <EmptyState icon={FlaskConical} hint="Run all questions to see what is found for each of them.">
      There are no runs yet.
    </EmptyState>
  ) : (
    <Comparison {...props} />
  )
}
