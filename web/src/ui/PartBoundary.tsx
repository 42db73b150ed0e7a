import { RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { RecoveryBoundary } from './RecoveryBoundary.tsx'

interface Props {
  /** What failed, as the beginning of a sentence: "This message". */
  name: string
  children: ReactNode
}

/** Keeps the failure of one part of a page from affecting the others. */
export function PartBoundary({ name, children }: Props) {
  return (
    <RecoveryBoundary
      fallback={(retry) => (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 text-sm">
          <p className="flex items-start gap-2 text-warning">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {`${name} could not be shown.`}
          </p>
          <Button size="small" onClick={retry}>
            <RotateCw aria-hidden="true" className="size-3.5" />
            Try again
          </Button>
        </div>
      )}
    >
      {children}
    </RecoveryBoundary>
  )
}
