import type { PartStatus, StatusPart } from '@lyceum/contract/status'
import { useId } from 'react'
import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { mailSettingsPath, modelSettingsPath } from '#lib/settings-paths.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Status } from '#ui/Status.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { TestResult } from '../TestResult.tsx'
import { useTestPart } from './mutations.ts'
import { formatFact, partLabels, stateLabels } from './part-labels.ts'

/** Where system administrators set up a part. */
const settingsPaths: Partial<Record<StatusPart, string>> = {
  mail: mailSettingsPath,
  model: modelSettingsPath,
}

/** The status and facts of one part of the installation, with a button that tests it. */
export function PartCard({ part, state, words, facts }: PartStatus) {
  const id = useId()
  const { title, icon: Icon, testLabel } = partLabels[part]
  const { label, tone, icon } = stateLabels[state]
  const test = useTestPart(part)
  const settingsPath = useIsSystemAdmin() && state !== 'ok' ? settingsPaths[part] : undefined
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
        <p className="text-sm">
          {words}{' '}
          {settingsPath !== undefined && (
            <TextLink to={settingsPath} aria-description={title} className="whitespace-nowrap">
              Open the settings
            </TextLink>
          )}
        </p>
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
        <div className="mt-auto flex flex-col items-start pt-1">
          <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
            {testLabel}
          </Button>
          <TestResult {...test} />
        </div>
      </section>
    </Card>
  )
}
