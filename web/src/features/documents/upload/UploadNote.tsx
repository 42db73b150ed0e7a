import { Upload } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { useUploads } from './use-uploads.ts'

interface Props {
  channelId: string
  onOpen: () => void
}

/** Counts the channel's uploads that are running, waiting for a preview or failed. */
export function UploadNote({ channelId, onOpen }: Props) {
  const entries = useUploads(channelId)
  function count(...states: string[]): number {
    return entries.filter(({ state }) => states.includes(state)).length
  }
  const parts = [
    [count('waiting', 'sending'), 'uploading'],
    [count('preview'), 'to preview'],
    [count('broken', 'failed'), 'failed'],
  ] as const
  const shown = parts.filter(([number]) => number > 0)
  if (shown.length === 0) return null
  return (
    <Button size="small" onClick={onOpen}>
      <Upload aria-hidden="true" className="size-4" />
      {`Uploads: ${shown.map(([number, state]) => `${number} ${state}`).join(', ')}`}
    </Button>
  )
}
