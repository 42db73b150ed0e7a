import { imageMaxBytes, imageTypes } from '@lyceum/contract/channels'
import { errors } from '@lyceum/contract/errors'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { ChosenPicture } from '#ui/ChosenPicture.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { dashboardBackgroundQuery } from './background-query.ts'
import { useRemoveBackground, useSetBackground } from './use-background.ts'

function faultOf({ type, size }: File): string | null {
  if (!imageTypes.some((accepted) => accepted === type)) return errors['image.type'].message
  return size >= imageMaxBytes ? errors['image.too_large'].message : null
}

function refuse(): void {
  banner.error(texts.permissions.manageSettings)
}

function CurrentPicture({ url }: { url: string | null }) {
  return url === null ? (
    <p className="rounded-card bg-surface-2 px-4 py-3 text-muted text-sm">
      The dashboard has no background image.
    </p>
  ) : (
    <img
      src={url}
      alt="The present background of the dashboard"
      className="aspect-video w-full rounded-card border border-hairline object-cover sm:max-w-96"
    />
  )
}

/** A picture that is chosen, looked at and then sent. */
function useChoice() {
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const sending = useSetBackground(() => setFile(null))
  function take(chosen: File | null): void {
    const found = chosen === null ? null : faultOf(chosen)
    sending.cancel()
    setFault(found)
    setFile(found === null ? chosen : null)
  }
  const { error } = sending
  const refusal = error === null ? fault : messageOf(error, texts.settings.uploadBackgroundFailed)
  return { ...sending, file, take, refusal }
}

/** The picture behind everybody's dashboard. */
export function DashboardBackground() {
  const maySave = useCan('canManageSettings')
  const current = useObjectUrl(useQuery({ ...dashboardBackgroundQuery(), staleTime: 0 }).data)
  const { file, take, refusal, send, isSending, share } = useChoice()
  const [isRemoving, setIsRemoving] = useState(false)
  const remove = useRemoveBackground(() => setIsRemoving(false))

  return (
    <Card>
      <section aria-labelledby="dashboard-background">
        <h2 id="dashboard-background" className="font-semibold text-lg">
          Dashboard background
        </h2>
        <p className="mt-1 text-muted text-sm">Stands behind everybody’s channels on the dashboard.</p>
        <div className="mt-4 flex flex-col gap-4">
          {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
          {file === null ? (
            <>
              <CurrentPicture url={current} />
              <FileDrop
                label="Drop a picture here, or press to choose it"
                hint="JPEG, PNG, GIF or WebP, under 5 MB. A wide picture fits best."
                accept={imageTypes.join()}
                disabled={!maySave}
                onFiles={([chosen]) => take(chosen ?? null)}
              />
            </>
          ) : (
            <ChosenPicture file={file} share={isSending ? share : null} />
          )}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {(file !== null || !maySave) && (
              <Button
                variant="primary"
                busy={isSending}
                aria-disabled={!maySave}
                onClick={() => (file === null ? refuse() : send(file))}
              >
                Upload background
              </Button>
            )}
            {file !== null && <Button onClick={() => take(null)}>Cancel</Button>}
            {file === null && current !== null && (
              <Button aria-disabled={!maySave} onClick={() => (maySave ? setIsRemoving(true) : refuse())}>
                Remove background
              </Button>
            )}
            {!maySave && <p className="text-muted text-sm">{texts.permissions.manageSettings}</p>}
          </div>
        </div>
        <ConfirmDialog
          open={isRemoving}
          title="Remove the background image?"
          confirmLabel="Remove background"
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onCancel={() => setIsRemoving(false)}
        >
          The dashboard has none then, for everybody.
        </ConfirmDialog>
      </section>
    </Card>
  )
}
