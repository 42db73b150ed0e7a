import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { cx } from './cx.ts'

interface Props {
  label: string
  hint?: ReactNode
  accept: string
  multiple?: boolean
  disabled?: boolean
  /** Takes no files, but keeps the focus. */
  busy?: boolean
  /** `accept` only filters the file chooser, so the receiver must check the type of dropped files. */
  onFiles: (files: File[]) => void
}

/** A drop zone that is also a file input, so that it works with keyboard and touch. */
export function FileDrop({
  label,
  hint,
  accept,
  multiple = false,
  disabled = false,
  busy = false,
  onFiles,
}: Props) {
  const [isOver, setIsOver] = useState(false)
  const isClosed = disabled || busy
  function selectFiles(list: FileList | null): void {
    const files = [...(list ?? [])]
    if (files.length > 0 && !isClosed) onFiles(multiple ? files : files.slice(0, 1))
  }
  function handleDrop(event: DragEvent): void {
    event.preventDefault()
    setIsOver(false)
    selectFiles(event.dataTransfer.files)
  }
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(!isClosed)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
      className={cx(
        'flex flex-col items-center gap-2 rounded-card border-2 border-dashed px-6 py-8 text-center transition-colors',
        'has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2',
        isClosed ? 'opacity-55' : 'hover:border-link',
        isOver ? 'border-link bg-accent-soft' : 'border-control/60',
      )}
    >
      <Upload aria-hidden="true" className="size-6 text-muted" strokeWidth={1.5} />
      <span className="font-medium text-sm">{label}</span>
      {hint && <span className="text-muted text-xs">{hint}</span>}
      <input
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        aria-disabled={busy || undefined}
        onClick={(event) => busy && event.preventDefault()}
        className="sr-only"
        onChange={(event) => {
          selectFiles(event.target.files)
          // Reset, so that choosing the same file again triggers a change event.
          event.target.value = ''
        }}
      />
    </label>
  )
}
