import type { SetupProgress, SetupStep } from '@lyceum/contract/get-started'
import { Check, X } from 'lucide-react'
import { useId } from 'react'
import { mailSettingsPath, modelSettingsPath } from '#lib/settings-paths.ts'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Link } from '#ui/Link.tsx'

interface StepText {
  title: string
  text: string
  to: string
}

const stepTexts: Record<SetupStep, StepText> = {
  channel: {
    title: 'Create a channel',
    text: 'A channel has its own assistant, documents and members.',
    to: '/admin/channels?new',
  },
  documents: {
    title: 'Add documents',
    text: 'Answers are based on them. Upload them on the channel’s card.',
    to: '/admin/channels',
  },
  approval: {
    title: 'Approve documents',
    text: 'The assistant uses a document only after its approval.',
    to: '/admin/documents',
  },
  model: {
    title: 'Connect a model',
    text: 'It writes the replies. Until then, replies only quote passages.',
    to: modelSettingsPath,
  },
  mail: {
    title: 'Set up email',
    text: 'It needs a mail server. Until then, invitations and codes are not delivered.',
    to: mailSettingsPath,
  },
  people: {
    title: 'Invite people',
    text: 'Choose which channels each user can open.',
    to: '/admin/users',
  },
}

type Step = SetupProgress['steps'][number]

/** What is left to do for a server that is set up. */
const problemTexts: Record<NonNullable<Step['problem']>, string> = {
  failing: 'It is set up, but does not answer. Check its address, then test it.',
  untested: 'It is set up, but has not answered yet. Test it once.',
}

interface StepProps extends Step {
  number: number
  isNext: boolean
}

function StepItem({ number, step, isDone, problem, isNext }: StepProps) {
  const { title, text, to } = stepTexts[step]
  return (
    <li>
      <Link
        to={to}
        aria-current={isNext ? 'step' : undefined}
        className={cx(
          'flex h-full gap-3 rounded-control border p-3 transition-colors hover:border-link',
          isNext ? 'border-link/50 bg-accent-soft' : 'border-hairline',
        )}
      >
        <span
          aria-hidden="true"
          className={cx(
            'flex size-6 shrink-0 items-center justify-center rounded-full font-medium text-xs',
            isDone ? 'bg-success-soft text-success' : 'border border-control/50 text-muted',
          )}
        >
          {isDone ? <Check className="size-4" /> : number}
        </span>
        <span className="flex min-w-0 flex-col gap-0.5 text-sm">
          <span className={cx('font-medium leading-6', isDone && 'text-muted')}>
            {title}
            {isDone && <span className="sr-only"> (done)</span>}
          </span>
          {!isDone && (
            <span
              className={cx('wrap-anywhere text-muted', !isNext && problem === undefined && 'max-sm:hidden')}
            >
              {problem === undefined ? text : problemTexts[problem]}
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

interface Props {
  steps: SetupProgress['steps']
  onDismiss: () => void
}

/** Leads administrators from a new installation to one that is in use. */
export function GetStarted({ steps, onDismiss }: Props) {
  const headingId = useId()
  const next = steps.findIndex(({ isDone }) => !isDone)
  const doneCount = steps.filter(({ isDone }) => isDone).length
  // Once most is done, only what is left is worth the space.
  const isMostlyDone = doneCount > steps.length / 2
  function handleDismiss(): void {
    onDismiss()
    // The focused button disappears with the panel.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <Card>
      <section aria-labelledby={headingId}>
        <div className="flex items-start justify-between gap-3">
          <div>
            <h2 id={headingId} className="font-semibold text-lg">
              Get started
            </h2>
            <p className="text-muted text-sm">
              {doneCount} of {steps.length} done
            </p>
          </div>
          <IconButton
            icon={X}
            size="small"
            label="Dismiss “Get started”"
            tip="Dismiss"
            tooltipAlign="end"
            onClick={handleDismiss}
          />
        </div>
        <ol className="mt-4 grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {steps.map(
            (step, index) =>
              (!isMostlyDone || !step.isDone) && (
                <StepItem key={step.step} {...step} number={index + 1} isNext={index === next} />
              ),
          )}
        </ol>
      </section>
    </Card>
  )
}
