import { acceptedFiles } from '@lyceum/contract/documents'
import { type ComponentProps, useRef } from 'react'
import { Button } from '#ui/Button.tsx'

interface Props extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  onFile: (file: File) => void
}

/** Opens the file chooser for one document. */
export function ChooseFileButton({ onFile, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...props} onClick={() => input.current?.click()}>
        Choose another file
      </Button>
      <input
        ref={input}
        type="file"
        accept={acceptedFiles}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Reset, so that choosing the same file again triggers a change event.
          target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}
