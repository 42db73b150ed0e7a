import {
  compareTestResults,
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
import { testRunQuery } from './queries.ts'
import { formatRun } from './run-labels.ts'
import { TestBenchResult } from './TestBenchResult.tsx'

const filterLabels = { all: 'All questions', failed: 'Failed', changed: 'Changed' }
type Filter = keyof typeof filterLabels

interface ComparedResult {
  result: TestResult
  change: TestChange
}

/** Without `base`, uses the stored change since the previous run. Nothing has changed in the first run. */
function compare({ results }: TestRun, base: TestRun | undefined): ComparedResult[] {
  if (base === undefined && results.every(({ change }) => change === 'new'))
    return results.map((result) => ({ result, change: 'same' }))
  const earlier = new Map(base?.results.map((result) => [result.questionId, result]))
  return results.map((result) => ({
    result,
    change: base ? compareTestResults(result, earlier.get(result.questionId)) : result.change,
  }))
}

function matchesFilter({ result, change }: ComparedResult, filter: Filter): boolean {
  if (filter === 'failed') return !result.isPassed
  return filter === 'all' || change !== 'same'
}

interface ResultListProps {
  run: TestRun
  base: TestRun | undefined
  filter: Filter
}

function ResultList({ run, base, filter }: ResultListProps) {
  const compared = compare(run, base).filter((result) => matchesFilter(result, filter))
  if (compared.length === 0)
    return <p className="py-4 text-muted text-sm">No matching questions in this run.</p>
  return (
    <ul
      aria-label="Results"
      className="divide-y divide-hairline rounded-card border border-hairline bg-raised"
    >
      {compared.map(({ result, change }) => (
        <TestBenchResult key={result.questionId} result={result} change={change} />
      ))}
    </ul>
  )
}

interface Props {
  channelId: string
  /** Newest first. */
  runs: readonly TestRunSummary[]
  shownId: string
  onShow: (runId: string) => void
}

/** The results of a run, compared with the previous run or any other. */
function Comparison({ channelId, runs, shownId, onShow }: Props) {
  const [baseId, setBaseId] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const isCompared = baseId !== '' && baseId !== shownId && runs.some(({ _id }) => _id === baseId)
  const shown = useQuery(testRunQuery(channelId, shownId))
  const base = useQuery({ ...testRunQuery(channelId, baseId), enabled: isCompared })
  const error = shown.error ?? (isCompared ? base.error : null)
  const isReady = shown.data !== undefined && (!isCompared || base.data !== undefined)
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {/* The score describes the only run. */}
        {runs.length > 1 && (
          <Field label="Run">
            {(control) => (
              <Select {...control} value={shownId} onChange={(event) => onShow(event.target.value)}>
                {runs.map((run) => (
                  <option key={run._id} value={run._id}>
                    {formatRun(run)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {runs.length > 1 && (
          <Field label="Compared with">
            {(control) => (
              <Select
                {...control}
                value={isCompared ? baseId : ''}
                onChange={(event) => setBaseId(event.target.value)}
              >
                <option value="">Previous run</option>
                {runs
                  .filter(({ _id }) => _id !== shownId)
                  .map((run) => (
                    <option key={run._id} value={run._id}>
                      {formatRun(run)}
                    </option>
                  ))}
              </Select>
            )}
          </Field>
        )}
        <Field label="Show">
          {(control) => (
            <Select {...control} value={filter} onChange={(event) => setFilter(event.target.value as Filter)}>
              {Object.entries(filterLabels).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
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
      {error === null && isReady && (
        <ResultList run={shown.data} base={isCompared ? base.data : undefined} filter={filter} />
      )}
    </div>
  )
}

export function TestBenchResults(props: Props) {
  return props.runs.length === 0 ? (
    <EmptyState icon={FlaskConical} hint="Run all questions to see how each of them would be answered.">
      There are no runs yet.
    </EmptyState>
  ) : (
    <Comparison {...props} />
  )
}
