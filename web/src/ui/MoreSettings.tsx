import type { ReactNode } from 'react'

/** Fields of a form that few users need. Open while one of them is wrong. */
export function MoreSettings({ hasError, children }: { hasError: boolean; children: ReactNode }) {
  return (
    <details open={hasError || undefined}>
      <summary className="w-fit cursor-pointer rounded-control py-1.5 text-muted text-sm pointer-coarse:min-h-11 pointer-coarse:py-3">
        More settings
      </summary>
      <div className="mt-3 flex flex-col gap-5">{children}</div>
    </details>
  )
}
