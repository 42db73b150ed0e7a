import type { TestRunSummary } from '@lyceum/contract/test-questions'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Progress } from '#ui/Progress.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useRunQuestions } from './mutations.ts'
import { describeDifference, formatScore } from './run-labels.ts'

const noteMaxLength = 200

function Score({ runs: [last, previous] }: { runs: readonly TestRunSummary[] }) {
  if (last === undefined) return <p className="font-semibold text-lg">Not run yet</p>
  return (
    <>
      <p className="font-semibold text-lg tabular-nums">{formatScore(last)}</p>
      <p className="text-muted text-sm tabular-nums">
        {describeDifference(last, previous)}
        {last.meanRank !== null && ` · average rank ${last.meanRank.toFixed(1)}`}
      </p>
      <p dir="auto" className="wrap-anywhere line-clamp-2 text-start text-muted text-xs tabular-nums">
        {[formatDateTime(last.ranAt), last.note].filter((part) => part !== '').join(' · ')}
      </p>
    </>
  )
}

interface Props {
  channelId: string
  questionCount: number
  /** Newest first. */
  runs: readonly TestRunSummary[]
  minMatch: number | null
  onRunFinished: (runId: string) => void
}

/** The score of the last run, and the form that starts another. */
export function TestBenchScore({ channelId, questionCount, runs, minMatch, onRunFinished }: Props) {
  const [note, setNote] = useState('')
  const run = useRunQuestions(channelId)
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (run.isPending) return
    run.mutate(note.trim(), {
      onSuccess: ({ _id }) => {
        setNote('')
        onRunFinished(_id)
      },
    })
  }
  return (
    <section aria-label="Score" className="flex flex-col gap-4 rounded-card bg-surface-2 p-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <div aria-live="polite" className="min-w-0">
          <Score runs={runs} />
          {minMatch !== null && (
            <p className="mt-1 text-muted text-xs tabular-nums">
              Learned from the last run: the channel refuses questions that its documents match less than{' '}
              {Math.round(minMatch * 100)} %.
            </p>
          )}
        </div>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-3">
          <Field label="What has changed? (optional)">
            {(control) => (
              <TextInput
                {...control}
                dir="auto"
                autoComplete="off"
                maxLength={noteMaxLength}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </Field>
          <Button
            type="submit"
            variant="primary"
            className="self-start"
            busy={run.isPending}
            disabled={questionCount === 0}
          >
            {!run.isPending && <Play aria-hidden="true" className="size-4" />}
            Run All
          </Button>
        </form>
      </div>
      {run.isPending && <Progress label={`Running ${formatCount(questionCount, 'question')}…`} />}
      {run.error !== null && <Banner tone="danger">{messageOf(run.error, texts.testBench.runFailed)}</Banner>}
    </section>
  )
}
