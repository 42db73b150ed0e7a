interface Props {
  label: string
  /** From 0 to 1. Omit for indeterminate progress. */
  value?: number
}

/** A native progress bar with its label. */
export function Progress({ label, value }: Props) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-4 text-muted text-xs tabular-nums">
        <span className="min-w-0 truncate">{label}</span>
        {value !== undefined && <span>{Math.round(value * 100)}%</span>}
      </div>
      <progress
        aria-label={label}
        value={value}
        max={1}
        className="h-1.5 w-full indeterminate:animate-pulse indeterminate:bg-primary-200 dark:indeterminate:bg-primary-900 appearance-none overflow-hidden rounded-full border-0 bg-surface-2 [&::-moz-progress-bar]:bg-primary-500 [&::-webkit-progress-bar]:bg-surface-2 [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-primary-500 [&::-webkit-progress-value]:transition-[width]"
      />
    </div>
  )
}
