import type { TestQuestion, TestRunSummary } from '@lyceum/contract/test-questions'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { testBenchQuery } from './queries.ts'
import { type QuestionDraft, TestBenchForm } from './TestBenchForm.tsx'
import { TestBenchQuestions } from './TestBenchQuestions.tsx'
import { TestBenchResults } from './TestBenchResults.tsx'
import { TestBenchScore } from './TestBenchScore.tsx'
import { TestBenchTry } from './TestBenchTry.tsx'

type View = 'questions' | 'results' | 'try'

interface BenchProps {
  channelId: string
  questions: readonly TestQuestion[]
  runs: readonly TestRunSummary[]
  minMatch: number | null
}

function Bench({ channelId, questions, runs, minMatch }: BenchProps) {
  const [view, setView] = useState<View>(runs.length === 0 ? 'questions' : 'results')
  const [draft, setDraft] = useState<QuestionDraft | null>(null)
  const [selectedId, setSelectedId] = useState<string | null>(null)
  // The newest run, unless the user selected another one that still exists.
  const shownId = runs.find(({ _id }) => _id === selectedId)?._id ?? runs[0]?._id ?? ''
  function startDraft(question: string): void {
    setDraft({
      _id: null,
      question,
      expected: [],
      mustContain: [],
      mustNotContain: [],
      isUnanswerable: false,
    })
  }
  const tabs = [
    { value: 'results' as const, label: 'Results' },
    { value: 'questions' as const, label: `Questions (${questions.length.toLocaleString()})` },
    { value: 'try' as const, label: 'Try a question' },
  ]
  return (
    <div className="flex flex-col gap-5">
      <TestBenchScore
        channelId={channelId}
        questionCount={questions.length}
        runs={runs}
        minMatch={minMatch}
        onRunFinished={() => {
          setSelectedId(null)
          setView('results')
        }}
      />
      <Tabs label="Test bench" tabs={tabs} value={view} onChange={setView}>
        {view === 'results' && (
          <TestBenchResults channelId={channelId} runs={runs} shownId={shownId} onShow={setSelectedId} />
        )}
        {view === 'questions' && (
          <TestBenchQuestions
            channelId={channelId}
            questions={questions}
            onAdd={() => startDraft('')}
            onEdit={setDraft}
          />
        )}
        {view === 'try' && <TestBenchTry channelId={channelId} onSave={startDraft} />}
      </Tabs>
      {draft !== null && <TestBenchForm channelId={channelId} draft={draft} onClose={() => setDraft(null)} />}
    </div>
  )
}

function Content({ channelId }: { channelId: string }) {
  const bench = useQuery(testBenchQuery(channelId))
  if (bench.data !== undefined) return <Bench channelId={channelId} {...bench.data} />
  if (bench.error !== null)
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(bench.error, '')}
        action={<Button onClick={() => void bench.refetch()}>Try again</Button>}
      >
        {texts.testBench.loadFailed}
      </EmptyState>
    )
  return (
    <div role="status" className="flex flex-col gap-5">
      <span className="sr-only">Loading the test questions…</span>
      <Skeleton className="h-32 rounded-card" />
      <Skeleton className="h-60 rounded-card" />
    </div>
  )
}

interface Props {
  channel: { _id: string; name: string }
  onClose: () => void
}

/** Tests whether a channel's saved questions find the expected documents, and compares runs. */
export function TestBenchDialog({ channel, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Test Bench"
      description={
        <span dir="auto" className="wrap-anywhere line-clamp-2">
          {channel.name}
        </span>
      }
    >
      <Content channelId={channel._id} />
      {/* Fades the row that the edge of the dialog cuts. At the end of the content it covers only the padding. */}
      <div
        aria-hidden="true"
        className="-bottom-6 -mb-6 pointer-events-none sticky h-6 bg-linear-to-t from-page to-transparent dark:from-surface"
      />
    </Dialog>
  )
}
