import type { Attachment } from '@lyceum/contract/attachments'
import { useQuery } from '@tanstack/react-query'
import { ImageOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { texts } from '#texts/member.ts'
import { cx } from '#ui/cx.ts'
import { toast } from '#ui/toast.ts'
import { type ChatAddress, pictureQuery } from './queries.ts'

const PictureDialog = lazyComponent(async () => (await import('./PictureDialog.tsx')).PictureDialog)

interface Props {
  chat: ChatAddress
  picture: Attachment
}

/** A picture of the user's own chat, which opens in a dialog. */
export function Picture({ chat, picture: { _id, name } }: Props) {
  const [isRequested, setIsRequested] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const { data, isError } = useQuery(pictureQuery(chat, _id))
  const url = useObjectUrl(data)
  const handleLoadError = useCallback(() => {
    toast.error(texts.chat.loadComponentFailed)
    setIsRequested(false)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label={`Open ${name}`}
        title={name}
        disabled={url === null}
        onClick={() => {
          setIsRequested(true)
          setIsOpen(true)
        }}
        className={cx(
          'flex size-24 items-center justify-center overflow-hidden rounded-control border border-hairline bg-surface-2 transition-colors enabled:hover:border-control',
          url === null && !isError && 'animate-pulse motion-reduce:animate-none',
        )}
      >
        {url !== null && <img src={url} alt={name} className="size-full object-cover" />}
        {isError && <ImageOff aria-hidden="true" className="size-6 text-muted" strokeWidth={1.5} />}
      </button>
      <PictureDialog
        open={isRequested}
        onLoadError={handleLoadError}
        props={{ url, name, isOpen, onClose: () => setIsOpen(false) }}
      />
    </>
  )
}
