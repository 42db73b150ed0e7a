import type { PartStatus, PartTestResult } from '@lyceum/contract/status'
import { useId } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Status, toneIcons } from '#ui/Status.tsx'
import { useTestPart } from './mutations.ts'
import { formatFact, partLabels, stateLabels } from './part-labels.ts'

function TestResult({ ok, words }: Pick<PartTestResult, 'ok' | 'words'>) {
  const Icon = toneIcons[ok ? 'success' : 'danger']
  return (
    <div className="flex items-start gap-2 text-sm">
      <Icon
        aria-hidden="true"
        className={ok ? 'mt-0.5 size-4 shrink-0 text-success' : 'mt-0.5 size-4 shrink-0 text-danger'}
      />
      <ul className="wrap-anywhere flex min-w-0 flex-col gap-1">
        {words.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

/** The status and facts of one part of the installation, with a button that tests it. */
export function PartCard({ part, state, words, facts }: PartStatus) {
  const id = useId()
  const { title, icon: Icon, testLabel } = partLabels[part]
  const { label, tone, icon } = stateLabels[state]
  const test = useTestPart(part)
  return (
    <Card className="flex flex-col">
      <section aria-labelledby={id} className="flex flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 id={id} className="flex min-w-0 flex-1 items-center gap-2 font-semibold">
            <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
            {title}
          </h3>
          <Status tone={tone} {...(icon && { icon })}>
            {label}
          </Status>
        </div>
        <p className="text-sm">{words}</p>
        {facts.length > 0 && (
          <dl className="flex flex-col text-sm">
            {facts.map((fact) => (
              <div key={fact.label} className="flex justify-between gap-4 border-hairline border-b py-1.5">
                <dt className="shrink-0 text-muted">{fact.label}</dt>
                <dd className="wrap-anywhere min-w-0 text-right tabular-nums">{formatFact(fact)}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="mt-auto flex flex-col items-start gap-3 pt-1">
          <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
            {testLabel}
          </Button>
          <div aria-live="polite">
            {test.data && <TestResult {...test.data} />}
            {test.error && <TestResult ok={false} words={[messageOf(test.error, texts.status.testFailed)]} />}
          </div>
        </div>
      </section>
    </Card>
  )
}
