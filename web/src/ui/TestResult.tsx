import type { PartTestResult } from '@lyceum/contract/status'
import { useEffect, useRef } from 'react'
import { messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { toneIcons } from './Status.tsx'

interface Props {
  data: PartTestResult | undefined
  error: Error | null
}

/** The result of a test, announced and scrolled into view when it arrives. */
export function TestResult({ data, error }: Props) {
  const ok = data?.ok === true
  const words = data?.words ?? (error ? [messageOf(error, texts.status.testFailed)] : [])
  const details = data?.details ?? []
  const Icon = toneIcons[ok ? 'success' : 'danger']
  const region = useRef<HTMLDivElement>(null)
  const seen = useRef({ data, error })
  useEffect(() => {
    // Not for an earlier result, which is there from the beginning.
    if (seen.current.data === data && seen.current.error === error) return
    seen.current = { data, error }
    if (data !== undefined || error !== null) region.current?.scrollIntoView({ block: 'nearest' })
  }, [data, error])
  return (
    <div ref={region} aria-live="polite">
      {words.length > 0 && (
        <div className="mt-3 flex items-start gap-2 text-sm">
          <Icon
            aria-hidden="true"
            className={ok ? 'mt-0.5 size-4 shrink-0 text-success' : 'mt-0.5 size-4 shrink-0 text-danger'}
          />
          <div className="wrap-anywhere min-w-0">
            <ul className="flex flex-col gap-1">
              {words.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {details.length > 0 && (
              <details>
                <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted pointer-coarse:min-h-11 pointer-coarse:py-3">
                  Technical details
                </summary>
                <ul className="flex flex-col gap-1 text-xs">
                  {details.map((line) => (
                    <li key={line}>
                      <code>{line}</code>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        </div>
      )}
    </div>
  )
}
