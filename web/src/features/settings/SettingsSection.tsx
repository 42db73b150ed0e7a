import { type ReactNode, useId } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

interface Props {
  title: string
  intro: ReactNode
  query: { error: Error | null; refetch: () => Promise<unknown> }
  /** Null until the query has data. */
  children: ReactNode
}

/** A settings card with loading and error states. */
export function SettingsSection({ title, intro, query, children }: Props) {
  const id = useId()
  return (
    <Card>
      <section aria-labelledby={id}>
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        <p className="mt-1 text-muted text-sm">{intro}</p>
        <div className="mt-4">
          {children !== null && children}
          {children === null && query.error === null && (
            <div role="status">
              <span className="sr-only">Loading the settings…</span>
              <Skeleton className="h-32" />
            </div>
          )}
          {children === null && query.error !== null && (
            <div className="flex flex-col items-start gap-3">
              <Banner tone="danger">{messageOf(query.error, texts.settings.loadFailed)}</Banner>
              <Button onClick={() => void query.refetch()}>Try again</Button>
            </div>
          )}
        </div>
      </section>
    </Card>
  )
}
