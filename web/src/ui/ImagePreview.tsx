import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { formatFileSize } from '#lib/file-size.ts'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { Progress } from './Progress.tsx'

interface Props {
  file: File
  /** Upload progress from 0 to 1; null when not uploading. */
  progress: number | null
}

/** Previews a selected image with its name and size, before and during the upload. */
export function ImagePreview({ file, progress }: Props) {
  const url = useObjectUrl(file)
  const [unreadable, setUnreadable] = useState<string | null>(null)
  return (
    <figure className="overflow-hidden rounded-card border border-hairline bg-raised">
      <div className="flex aspect-video items-center justify-center bg-surface-2">
        {url === null || unreadable === url ? (
          <ImageOff aria-hidden="true" className="size-8 text-muted" strokeWidth={1.5} />
        ) : (
          <img
            src={url}
            alt="Selected file"
            className="size-full object-contain"
            onError={() => setUnreadable(url)}
          />
        )}
      </div>
      <figcaption className="flex flex-col gap-3 border-hairline border-t px-4 py-3">
        <div className="flex items-baseline justify-between gap-4">
          <span dir="auto" className="wrap-anywhere line-clamp-2 min-w-0 text-start font-medium text-sm">
            {file.name}
          </span>
          <span className="shrink-0 text-muted text-xs tabular-nums">{formatFileSize(file.size)}</span>
        </div>
        {/* All bytes are sent, but the server has not answered yet. */}
        {progress !== null &&
          (progress >= 1 ? <Progress label="Storing…" /> : <Progress label="Uploading" value={progress} />)}
      </figcaption>
    </figure>
  )
}
