import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '#ui/IconButton.tsx'

interface Props {
  disabled: boolean
  /** The `accept` attribute of the file input. */
  accept: string
  onFiles: (files: File[]) => void
}

/** At the start of the message field: opens the file chooser. */
export function AttachButton({ disabled, accept, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <span className="absolute bottom-1 left-1 pointer-coarse:bottom-0.5 pointer-coarse:left-0.5">
      <IconButton
        icon={Paperclip}
        label="Attach files"
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Reset, so that choosing the same file again triggers a change event.
          target.value = ''
        }}
      />
    </span>
  )
}
