import type { ConnectionHealth, ConnectionPart, Connections } from '@lyceum/contract/connections'
import { CircleHelp, CircleMinus } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useHashTarget } from '#lib/use-hash-target.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
import { Status } from '#ui/Status.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'
import { useTestPart } from '../status/mutations.ts'
import { testIntent } from './use-connection-form.ts'

type Source = Connections['model']['source']

function HealthStatus({ source, health = 'untested' }: Pick<Props, 'source' | 'health'>) {
  if (source === 'unreadable') return <Status tone="danger">Cannot be read</Status>
  if (source === 'none')
    return (
      <Status tone="neutral" icon={CircleMinus}>
        Not set up
      </Status>
    )
  switch (health) {
    case 'working':
      return <Status tone="success">Working</Status>
    case 'failing':
      return <Status tone="danger">Not answering</Status>
    case 'untested':
      return (
        <Status tone="neutral" icon={CircleHelp}>
          Not tested yet
        </Status>
      )
  }
}

/** Tests what the environment sets. The server knows those values, so that none are sent. */
function EnvironmentTest({ part, label }: { part: ConnectionPart; label: string }) {
  const test = useTestPart(part)
  return (
    <div className="mt-4 flex flex-col items-start">
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        {label}
      </Button>
      <TestResult data={test.data} error={test.error} />
    </div>
  )
}

interface CardTexts {
  title: string
  /** What the connection is for, and what happens without it. */
  intro: string
  testLabel: string
  saveLabel: string
  removeTitle: string
  removeText: string
}

interface Props {
  part: ConnectionPart
  source: Source
  health: ConnectionHealth | undefined
  variables: readonly (string | undefined)[]
  texts: CardTexts
  isChanged: boolean
  onDiscard: () => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  saving: { isPending: boolean }
  testing: Parameters<typeof TestResult>[0] & { isPending: boolean }
  removing: { isPending: boolean; mutateAsync: () => Promise<unknown> }
  children: ReactNode
}

/** The state of a connection, its form, and the buttons that save, test and remove it. */
export function ConnectionCard({
  part,
  source,
  health,
  variables,
  texts,
  isChanged,
  onDiscard,
  onSubmit,
  saving,
  testing,
  removing,
  children,
}: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const { title, intro, testLabel, saveLabel, removeTitle, removeText } = texts
  const isEmpty = source === 'none' && !isChanged
  const names = [...new Set(variables.filter((name) => name !== undefined))]
  // Other screens link to one of the cards.
  useHashTarget(part, heading)

  async function remove(): Promise<void> {
    // The mutation shows its error.
    await removing.mutateAsync().catch(() => undefined)
    setIsRemoving(false)
  }
  return (
    <Card>
      <section aria-labelledby={part}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2
            ref={heading}
            id={part}
            tabIndex={-1}
            className="scroll-mt-20 font-semibold text-lg outline-none"
          >
            {title}
          </h2>
          <HealthStatus source={source} health={health} />
        </div>
        <p className="mt-1 text-muted text-sm">{intro}</p>
        {source === 'unreadable' && (
          <div className="mt-4">
            <Banner tone="danger">
              The stored values cannot be decrypted with the keys of this installation, so they are not used.
              Enter them again.
            </Banner>
          </div>
        )}
        {source === 'environment' && (
          <div className="mt-4">
            <Banner tone="info">
              Set by {names.join(' and ')} on the server, so it cannot be changed here.
            </Banner>
          </div>
        )}
        <form noValidate autoComplete="off" onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
          {children}
          {source !== 'environment' && (
            <div>
              <div className="flex flex-wrap items-center gap-3">
                <SaveButton isChanged={isChanged || source === 'unreadable'} busy={saving.isPending}>
                  {saveLabel}
                </SaveButton>
                <Button
                  type="submit"
                  name="intent"
                  value={testIntent}
                  busy={testing.isPending}
                  aria-disabled={isEmpty}
                  aria-description={isEmpty ? 'Nothing to test' : undefined}
                  onClick={(event) => isEmpty && event.preventDefault()}
                >
                  {testLabel}
                </Button>
                {source !== 'none' && (
                  <Button variant="ghost" onClick={() => setIsRemoving(true)}>
                    Remove
                  </Button>
                )}
                <UnsavedChanges isChanged={isChanged} onDiscard={onDiscard} />
              </div>
              <TestResult data={testing.data} error={testing.error} />
            </div>
          )}
        </form>
        {source === 'environment' && <EnvironmentTest part={part} label={testLabel} />}
        <ConfirmDialog
          open={isRemoving}
          title={removeTitle}
          confirmLabel="Remove"
          busy={removing.isPending}
          onConfirm={() => void remove()}
          onCancel={() => setIsRemoving(false)}
          finalFocus={() => heading.current}
        >
          {removeText}
        </ConfirmDialog>
      </section>
    </Card>
  )
}
