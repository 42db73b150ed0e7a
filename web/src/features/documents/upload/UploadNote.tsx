import { Upload } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { useUploads } from './use-uploads.ts'

interface Props {
  channelId: string
  onOpen: () => void
}

/** Says that files are still on their way into a channel, or got stuck. */
export function UploadNote({ channelId, onOpen }: Props) {
  const entries = useUploads(channelId)
  function numberOf(...states: string[]): number {
    return entries.filter(({ state }) => states.includes(state)).length
  }
  const parts = [
    [numberOf('waiting', 'sending'), 'uploading'],
    [numberOf('review'), 'to look at'],
    [numberOf('failed'), 'failed'],
  ] as const
  const shown = parts.filter(([number]) => number > 0)
  if (shown.length === 0) return null
  return (
    <Button size="small" onClick={onOpen}>
      <Upload aria-hidden="true" className="size-4" />
      {`Uploads: ${shown.map(([number, word]) => `${number} ${word}`).join(', ')}`}
    </Button>
  )
}
