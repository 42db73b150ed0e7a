import {
  analyticsApi,
  questionStates,
  type UnansweredQuestion,
  type UnansweredReason,
} from '@lyceum/contract/analytics'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { questionMaxLength, testQuestionsApi } from '@lyceum/contract/test-questions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, FileText, FlaskConical, MessageCircleQuestion, Undo2 } from 'lucide-react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useCan } from '#features/auth/use-can.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { buttonStyle } from '#ui/button-style.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { Select } from '#ui/Select.tsx'
import { ExportButton } from './ExportButton.tsx'
import { questionsKey, questionsQuery, type Scope } from './queries.ts'
import type { AnalyticsView } from './use-analytics-view.ts'

/** Marks a question as resolved or reopens it, which moves it to the other list. */
function useResolve() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id, resolved }: UnansweredQuestion) =>
      call(analyticsApi.resolve, { params: { id: _id }, body: { isResolved: resolved === null } }),
    onSuccess: (_, { resolved }) =>
      banner.success(resolved === null ? texts.analytics.resolve.done : texts.analytics.reopen.done),
    onError: (error, { resolved }) => {
      const outcome = resolved === null ? texts.analytics.resolve : texts.analytics.reopen
      banner.error(messageOf(error, outcome.failed))
    },
    onSettled: () => client.invalidateQueries({ queryKey: questionsKey }),
  })
}

/** Adds the question to the channel's test questions, as one that no document answers yet. */
function useAddTestQuestion() {
  return useMutation({
    mutationFn: ({ channelId, text }: UnansweredQuestion) =>
      call(testQuestionsApi.add, {
        params: { id: channelId },
        body: {
          question: stripInvisible(text).slice(0, questionMaxLength),
          expectedDocumentIds: [],
          isUnanswerable: true,
        },
      }),
    onSuccess: (_, { channelName }) => banner.success(texts.analytics.addTestQuestion.done(channelName)),
    onError: (error) => banner.error(messageOf(error, texts.analytics.addTestQuestion.failed)),
  })
}

const reasonLabels: Record<UnansweredReason, string> = {
  'no-documents': 'The channel had no approved documents.',
  'nothing-found': 'No relevant passage was found.',
  'not-supported': 'Passages were found, but none supported an answer.',
  'without-passage': 'Answered without sources.',
}

const stateLabels = { open: 'Open', resolved: 'Resolved' } as const

function Question({ question }: { question: UnansweredQuestion }) {
  const { channelId, channelName, askedAt, reason, resolved } = question
  const text = stripInvisible(question.text)
  const resolve = useResolve()
  const addTestQuestion = useAddTestQuestion()
  const canManageDocuments = useCan('canManageDocuments')
  return (
    <li className="flex flex-col gap-3 px-4 py-4 lg:flex-row lg:items-start lg:justify-between lg:gap-6">
      <div className="min-w-0">
        <p
          dir="auto"
          className="wrap-anywhere line-clamp-6 whitespace-pre-line text-start font-medium text-sm"
        >
          {text}
        </p>
        <p className="mt-1.5 text-muted text-sm">{reasonLabels[reason]}</p>
        <p className="wrap-anywhere mt-1 text-muted text-xs">
          <span dir="auto">{channelName}</span> · <time dateTime={askedAt}>{formatDateTime(askedAt)}</time>
          {resolved !== null &&
            ` · resolved by ${resolved.by ?? 'a deleted user'}, ${formatDateTime(resolved.at)}`}
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        {canManageDocuments && (
          <Link
            to={`/admin/documents?status=approved&channelId=${encodeURIComponent(channelId)}`}
            aria-description={channelName}
            className={buttonStyle('secondary', 'small')}
          >
            <FileText aria-hidden="true" className="size-4" />
            Documents
          </Link>
        )}
        {canManageDocuments && (
          <Button
            size="small"
            busy={addTestQuestion.isPending}
            aria-disabled={addTestQuestion.isSuccess}
            aria-description={text}
            onClick={() => !addTestQuestion.isSuccess && addTestQuestion.mutate(question)}
          >
            {!addTestQuestion.isPending && <FlaskConical aria-hidden="true" className="size-4" />}
            {addTestQuestion.isSuccess ? 'Added to the tests' : 'Add to the tests'}
          </Button>
        )}
        <Button
          size="small"
          busy={resolve.isPending}
          aria-description={text}
          onClick={() => resolve.mutate(question)}
        >
          {resolved === null ? (
            <Check aria-hidden="true" className="size-4" />
          ) : (
            <Undo2 aria-hidden="true" className="size-4" />
          )}
          {resolved === null ? 'Mark as resolved' : 'Reopen'}
        </Button>
      </div>
    </li>
  )
}

function NoQuestions({ state }: Pick<AnalyticsView, 'state'>) {
  return state === 'open' ? (
    <EmptyState icon={MessageCircleQuestion} hint="All questions in this period are answered or resolved.">
      No unanswered questions.
    </EmptyState>
  ) : (
    <EmptyState icon={MessageCircleQuestion}>No questions in this period were resolved.</EmptyState>
  )
}

interface Props {
  scope: Scope
  page: number
  state: AnalyticsView['state']
  onChange: (change: Partial<AnalyticsView>) => void
}

/** The questions that the documents did not answer, for administrators to work through. */
export function QuestionTable({ scope, page, state, onChange }: Props) {
  const questions = useQuery(questionsQuery(scope, page, state))
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-muted text-sm">
        Questions that the documents did not answer, shown anonymously. They are quoted from users’ chats, so
        viewing them is recorded in the audit log.
      </p>
      {questions.isPending ? (
        <RowSkeletons label="Loading the questions…" rows={6} />
      ) : (
        <PagedTable
          title="Unanswered questions"
          list={questions}
          page={page}
          onPage={(next) => onChange({ page: next })}
          failedText={texts.analytics.loadQuestionsFailed}
          toolbar={
            <div className="flex gap-2">
              <Select
                aria-label="Questions to show"
                value={state}
                onChange={({ target }) =>
                  onChange({ state: target.value === 'resolved' ? 'resolved' : 'open' })
                }
                className="w-36"
              >
                {questionStates.map((option) => (
                  <option key={option} value={option}>
                    {stateLabels[option]}
                  </option>
                ))}
              </Select>
              <ExportButton table="questions" name="unanswered questions" scope={scope} state={state} />
            </div>
          }
        >
          {(rows) =>
            rows.length === 0 ? (
              <NoQuestions state={state} />
            ) : (
              <ul className="divide-y divide-hairline">
                {rows.map((question) => (
                  <Question key={question._id} question={question} />
                ))}
              </ul>
            )
          }
        </PagedTable>
      )}
    </div>
  )
}
