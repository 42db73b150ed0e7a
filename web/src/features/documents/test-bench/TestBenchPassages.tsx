import type { RetrievedPassage } from '@lyceum/contract/test-questions'
import { Check } from 'lucide-react'
import { Status } from '#ui/Status.tsx'
import { describeRanks } from './run-labels.ts'

interface Props {
  label: string
  passages: readonly (RetrievedPassage & { isExpected?: boolean })[]
}

/** The passages retrieved for a question, best first, with their ranks. */
export function TestBenchPassages({ label, passages }: Props) {
  if (passages.length === 0) return <p className="text-muted text-sm">No passage was found.</p>
  const hasMeaningSearch = passages.some(({ meaningRank }) => meaningRank !== null)
  return (
    <>
      <ol aria-label={label} className="divide-y divide-hairline rounded-control border border-hairline">
        {passages.map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="flex gap-3 px-3 py-2.5">
            <span aria-hidden="true" className="w-5 shrink-0 text-end text-muted text-sm tabular-nums">
              {index + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
                <span dir="auto" className="wrap-anywhere min-w-0 font-medium">
                  {passage.title}
                </span>
                {passage.page !== null && (
                  <span className="text-muted text-xs tabular-nums">
                    Page {passage.page.toLocaleString()}
                  </span>
                )}
                {passage.isExpected && (
                  <Status tone="success" icon={Check}>
                    Expected
                  </Status>
                )}
              </p>
              {passage.headingPath.length > 0 && (
                <p dir="auto" className="wrap-anywhere line-clamp-2 text-start text-muted text-xs">
                  {passage.headingPath.join(' › ')}
                </p>
              )}
              {passage.excerpt !== '' && (
                <p dir="auto" className="wrap-anywhere text-start text-sm">
                  {passage.excerpt}
                </p>
              )}
              <p className="text-muted text-xs tabular-nums">{describeRanks(passage, hasMeaningSearch)}</p>
            </div>
          </li>
        ))}
      </ol>
      {!hasMeaningSearch && (
        <p className="mt-1.5 text-muted text-xs">Keyword search only: no embedding model was available.</p>
      )}
    </>
  )
}
