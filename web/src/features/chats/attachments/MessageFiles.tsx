import { type Attachment, isPictureKind } from '@lyceum/contract/attachments'
import type { Citation } from '@lyceum/contract/citations'
import { use } from 'react'
import { formatFileSize } from '#lib/file-size.ts'
import { formatCount } from '#lib/format-count.ts'
import { useIsEmbedded } from '../embedded.ts'
import { FileButton, FileChip } from './FileChip.tsx'
import { OwnChatContext } from './own-chat.ts'
import { Picture } from './Picture.tsx'

function describe({ pages, fileSize }: Attachment): string {
  return pages === null ? formatFileSize(fileSize) : formatCount(pages, 'page')
}

/** The whole file as a source. No reply numbers it, so its number is 0. */
export function toSource({ _id, name, fileType }: Attachment): Citation {
  return {
    n: 0,
    documentId: _id,
    isAttachment: true,
    title: name,
    fileType,
    page: null,
    headingPath: [],
    charStart: 0,
    charEnd: 0,
    quote: '',
    available: true,
  }
}

interface Props {
  files: readonly Attachment[]
  /** Omitted where the files cannot be opened: only the owner of a chat can open them. */
  onOpen?: ((file: Attachment) => void) | undefined
  className?: string
}

/** The files that were sent with a message. */
export function MessageFiles({ files, onOpen, className }: Props) {
  const ownChat = use(OwnChatContext)
  const isEmbedded = useIsEmbedded()
  if (files.length === 0) return null
  return (
    <ul aria-label="Attached files" className={`flex max-w-full flex-wrap gap-2 ${className ?? ''}`}>
      {files.map((file) => (
        <li key={file._id} className="max-w-full sm:max-w-[75%]">
          {isPictureKind(file.fileType) && ownChat !== null && !isEmbedded ? (
            <Picture chat={ownChat} picture={file} />
          ) : onOpen && !isEmbedded && !isPictureKind(file.fileType) ? (
            <FileButton name={file.name} detail={describe(file)} onClick={() => onOpen(file)} />
          ) : (
            <FileChip name={file.name} detail={describe(file)} />
          )}
        </li>
      ))}
    </ul>
  )
}
