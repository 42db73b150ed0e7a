import { formatAttentionCount } from './attention-items.ts'

/** How much waits behind a link; nothing at zero. */
export function AttentionCount({ count }: { count: number }) {
  if (count === 0) return null
  const shown = formatAttentionCount(count)
  return (
    <span className="relative ms-1.5 inline-flex min-w-5 items-center justify-center rounded-full bg-warning-soft px-1.5 font-semibold text-warning text-xs tabular-nums leading-5">
      <span className="sr-only">, </span>
      {shown}
      <span className="sr-only"> waiting</span>
    </span>
  )
}
