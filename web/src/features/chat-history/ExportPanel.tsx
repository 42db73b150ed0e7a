import { Download } from 'lucide-react'
import type { Ref } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Progress } from '#ui/Progress.tsx'
import type { ExportFormat } from './record-counter.ts'
import type { ExportState } from './use-export.ts'

const formats = { csv: 'CSV', jsonl: 'JSON Lines' } as const

interface ButtonsProps {
  state: ExportState
  isEmpty: boolean
  onExport: (format: ExportFormat) => void
  ref: Ref<HTMLDivElement>
}

export function ExportButtons({ state, isEmpty, onExport, ref }: ButtonsProps) {
  const running = state?.phase === 'running' ? state.format : null
  return (
    <div ref={ref} className="flex flex-wrap gap-2">
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button
          key={format}
          busy={running === format}
          disabled={isEmpty || (running !== null && running !== format)}
          aria-label={`Export as ${formats[format]}`}
          onClick={() => onExport(format)}
        >
          {running !== format && <Download aria-hidden="true" className="size-4" />}
          {formats[format]}
        </Button>
      ))}
    </div>
  )
}

const tones = { done: 'success', truncated: 'warning', cancelled: 'info', failed: 'danger' } as const

function describeProgress(messages: number, total: number | null): string {
  return total === null
    ? 'Preparing the export…'
    : `${messages.toLocaleString()} of ${total.toLocaleString()} messages`
}

interface StatusProps {
  state: ExportState
  onCancel: () => void
  onDismiss: () => void
}

/** The progress of an export, then its outcome. */
export function ExportStatus({ state, onCancel, onDismiss }: StatusProps) {
  if (state === null) return null
  if (state.phase !== 'running') {
    return (
      <Banner tone={tones[state.phase]} onDismiss={onDismiss}>
        {state.text}
      </Banner>
    )
  }
  const { format, messages, total } = state
  // A reply that is being written during the export adds messages that were not counted.
  const progress = total === null || total === 0 ? undefined : Math.min(1, messages / total)
  return (
    <div className="flex items-center gap-4 rounded-card border border-hairline bg-raised px-4 py-3">
      <div className="min-w-0 flex-1">
        <p role="status" className="sr-only">
          Exporting as {formats[format]}
        </p>
        <Progress
          label={describeProgress(messages, total)}
          {...(progress === undefined ? {} : { value: progress })}
        />
      </div>
      <Button size="small" onClick={onCancel}>
        Cancel export
      </Button>
    </div>
  )
}
