import type { DocumentRemedy, PartStatus, StatusFact } from '@lyceum/contract/status'
import { Fragment, useRef } from 'react'
import { useCan, useIsSystemAdmin } from '#features/auth/use-can.ts'
import { failedDocumentsPath, withoutVectorsPath } from '#lib/document-paths.ts'
import { partTitles } from '#lib/part-titles.ts'
import {
  embeddingsSettingsPath,
  eventsSettingsPath,
  getStatusAnchor,
  mailSettingsPath,
  modelSettingsPath,
  rerankingSettingsPath,
} from '#lib/settings-paths.ts'
import { useHashTarget } from '#lib/use-hash-target.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Status } from '#ui/Status.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { useTestPart } from './mutations.ts'
import { formatFact, partLabels, stateLabels } from './part-labels.ts'

interface PartLink {
  label: string
  to: string
}

const documentLinks: Record<DocumentRemedy, PartLink> = {
  'mend-documents': { label: 'Show these documents', to: failedDocumentsPath },
  'see-documents-without-vectors': { label: 'Show these documents', to: withoutVectorsPath },
}

/** Where system administrators set up a part. */
function getSettingsLink({ part, state }: PartStatus): PartLink | undefined {
  if (part === 'mail') return { label: 'Set up email', to: mailSettingsPath }
  if (part === 'model' && state === 'off') return { label: 'Connect a model', to: modelSettingsPath }
  if (part === 'model') return { label: 'Open the model settings', to: modelSettingsPath }
  if (part === 'embeddings') return { label: 'Open the embedding settings', to: embeddingsSettingsPath }
  if (part === 'reranking') return { label: 'Open the reranker settings', to: rerankingSettingsPath }
  if (state === 'off') return undefined
  if (part === 'audit-stream') return { label: 'Open the receivers', to: eventsSettingsPath }
  if (part === 'webhooks') return { label: 'Open the webhooks', to: eventsSettingsPath }
  return undefined
}

/** Where the user can see or mend what is wrong with a part. */
function usePartLinks(status: PartStatus): PartLink[] {
  const isSystemAdmin = useIsSystemAdmin()
  const canManageDocuments = useCan('canManageDocuments')
  const { state, remedy } = status
  const links = [
    canManageDocuments && remedy !== undefined ? documentLinks[remedy] : undefined,
    isSystemAdmin && state !== 'ok' ? getSettingsLink(status) : undefined,
  ]
  return links.filter((link) => link !== undefined)
}

/** The facts in their groups. Those of a group follow each other. */
function groupFacts(facts: readonly StatusFact[]): [group: string | undefined, facts: StatusFact[]][] {
  return [...Map.groupBy(facts, ({ group }) => group)]
}

function Facts({ facts }: Pick<PartStatus, 'facts'>) {
  return groupFacts(facts).map(([group, grouped]) => (
    <div key={group ?? ''}>
      {group !== undefined && <h4 className="mt-1 mb-0.5 font-medium text-sm">{group}</h4>}
      <dl className="flex flex-col text-sm">
        {grouped.map((fact) => (
          <div key={fact.label} className="flex justify-between gap-4 border-hairline border-b py-1.5">
            <dt className="shrink-0 text-muted">{fact.label}</dt>
            <dd className="wrap-anywhere min-w-0 text-right tabular-nums">{formatFact(fact)}</dd>
          </div>
        ))}
      </dl>
    </div>
  ))
}

/** The status and facts of one part of the installation, with a button that tests it. */
export function PartCard(status: PartStatus) {
  const { part, state, words, facts } = status
  const id = getStatusAnchor(part)
  const heading = useRef<HTMLHeadingElement>(null)
  const title = partTitles[part]
  const { icon: Icon, testLabel } = partLabels[part]
  const { label, tone, icon } = stateLabels[state]
  const test = useTestPart(part)
  const links = usePartLinks(status)
  // The admin home links to parts with a problem.
  useHashTarget(id, heading)
  return (
    <Card className="flex flex-col">
      <section aria-labelledby={id} className="flex flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3
            ref={heading}
            id={id}
            tabIndex={-1}
            className="flex min-w-0 flex-1 scroll-mt-20 items-center gap-2 font-semibold outline-none"
          >
            <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
            {title}
          </h3>
          <Status tone={tone} {...(icon && { icon })}>
            {label}
          </Status>
        </div>
        <p className="text-sm">
          {words}
          {links.map(({ label: linkLabel, to }) => (
            <Fragment key={to}>
              {' '}
              <TextLink to={to} aria-description={title} className="whitespace-nowrap">
                {linkLabel}
              </TextLink>
            </Fragment>
          ))}
        </p>
        <Facts facts={facts} />
        {/* What is not set up cannot be tested. */}
        {state !== 'off' && (
          <div className="mt-auto flex flex-col items-start pt-1">
            <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
              {testLabel}
            </Button>
            <TestResult {...test} />
          </div>
        )}
      </section>
    </Card>
  )
}
