import { type Channel, imageMaxBytes, imageTypes } from '@lyceum/contract/channels'
import { useState } from 'react'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { ImagePreview } from '#ui/ImagePreview.tsx'
import { describeUploadError, useRemoveWallpaper, useSetWallpaper } from './use-wallpaper.ts'

interface Props {
  channel: Channel
  onUploaded: (filename: string) => void
  onClose: () => void
}

function validateImage({ type, size }: File): string | null {
  if (!type.startsWith('image/')) return texts.wallpaper.notAnImage
  return size >= imageMaxBytes ? texts.wallpaper.tooLarge : null
}

/** Sets or removes a channel's wallpaper. Closing it cancels the upload. */
export function WallpaperDialog({ channel, onUploaded, onClose }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [invalidReason, setInvalidReason] = useState<string | null>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const { send, isSending, error, progress, cancel } = useSetWallpaper(channel, (filename) => {
    onUploaded(filename)
    onClose()
  })
  const remove = useRemoveWallpaper(channel, onClose)

  function chooseFile(chosen: File): void {
    const reason = validateImage(chosen)
    cancel()
    setInvalidReason(reason)
    setFile(reason === null ? chosen : null)
  }
  function startOver(): void {
    cancel()
    setFile(null)
  }
  const refusal = error === null ? invalidReason : describeUploadError(error)

  return (
    <Dialog
      open
      onClose={onClose}
      // The dialog changes its size while uploading, so the second click of a double-click may land outside it.
      ignoresBackdrop={file !== null}
      title="Upload wallpaper"
      description="Shown behind the messages of this channel, for all members."
      footer={
        <>
          {file === null && channel.wallpaper !== null && (
            <Button variant="ghost" className="mr-auto" onClick={() => setIsRemoving(true)}>
              Remove wallpaper
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          {file !== null && (
            <Button variant="primary" busy={isSending} onClick={() => send(file)}>
              Upload
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
        {file === null ? (
          <FileDrop
            label="Drop an image here, or click to browse"
            hint="JPEG, PNG, GIF or WebP, under 5 MB. Recommended size: 1920x1080."
            accept={imageTypes.join()}
            onFiles={([chosen]) => chosen && chooseFile(chosen)}
          />
        ) : (
          <>
            <ImagePreview file={file} progress={isSending ? progress : null} />
            {!isSending && (
              <Button size="small" className="self-start" onClick={startOver}>
                Choose another image
              </Button>
            )}
          </>
        )}
      </div>
      <ConfirmDialog
        open={isRemoving}
        title="Remove the wallpaper?"
        confirmLabel="Remove wallpaper"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onCancel={() => setIsRemoving(false)}
      >
        It will be removed for all members of this channel.
      </ConfirmDialog>
    </Dialog>
  )
}
