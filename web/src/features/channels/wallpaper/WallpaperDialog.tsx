import { type Channel, imageMaxBytes, imageTypes } from '@lyceum/contract/channels'
import { useState } from 'react'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ChosenPicture } from '#ui/ChosenPicture.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { useRemoveWallpaper, useSetWallpaper } from './use-wallpaper.ts'
import { wallpaperErrorWords } from './wallpaper-error.ts'

interface Props {
  channel: Channel
  onUploaded: (filename: string) => void
  onClose: () => void
}

function faultOf({ type, size }: File): string | null {
  if (!type.startsWith('image/')) return texts.wallpaper.notAnImage
  return size >= imageMaxBytes ? texts.wallpaper.tooLarge : null
}

/** Sets or removes the picture behind a channel's chats. Closing it breaks an upload off. */
export function WallpaperDialog({ channel, onUploaded, onClose }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const { send, isSending, error, share, cancel } = useSetWallpaper(channel, (filename) => {
    onUploaded(filename)
    onClose()
  })
  const remove = useRemoveWallpaper(channel, onClose)

  function take(chosen: File): void {
    const found = faultOf(chosen)
    cancel()
    setFault(found)
    setFile(found === null ? chosen : null)
  }
  function startOver(): void {
    cancel()
    setFile(null)
  }
  const refusal = error === null ? fault : wallpaperErrorWords(error)

  return (
    <Dialog
      open
      onClose={onClose}
      // What is shown comes and goes as it is sent, and the second press of two may come down beside it.
      isHeld={file !== null}
      title="Upload wallpaper"
      description="The picture behind the messages of this channel, for everybody in it."
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
            label="Drop a picture here, or press to choose it"
            hint="JPEG, PNG, GIF or WebP, under 5 MB. Recommended size: 1920x1080."
            accept={imageTypes.join()}
            onFiles={([chosen]) => chosen && take(chosen)}
          />
        ) : (
          <>
            <ChosenPicture file={file} share={isSending ? share : null} />
            {!isSending && (
              <Button size="small" className="self-start" onClick={startOver}>
                Choose another picture
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
        Everybody in this channel sees its chats without it then.
      </ConfirmDialog>
    </Dialog>
  )
}
