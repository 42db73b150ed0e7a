import { imageMaxBytes, imageTypes } from '@lyceum/contract/channels'
import { errors } from '@lyceum/contract/errors'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useInitialEntries, useKeepDraft } from '#lib/form-drafts.tsx'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { ImagePreview } from '#ui/ImagePreview.tsx'
import { dashboardBackgroundQuery } from './background-query.ts'
import { useRemoveBackground, useSetBackground } from './use-background.ts'

function validateImage({ type, size }: File): string | null {
  if (!imageTypes.some((accepted) => accepted === type)) return errors['image.type'].message
  return size >= imageMaxBytes ? errors['image.too_large'].message : null
}

function showRefusal(): void {
  banner.error(texts.permissions.manageSettings)
}

function CurrentImage({ url }: { url: string | null }) {
  return url === null ? (
    <p className="rounded-card bg-surface-2 px-4 py-3 text-muted text-sm">
      The dashboard has no background image.
    </p>
  ) : (
    <img
      src={url}
      alt="Current dashboard background"
      className="aspect-video w-full rounded-card border border-hairline object-cover sm:max-w-96"
    />
  )
}

const noFile = { file: null }

/** An image that the user chooses, previews and then uploads. */
function useChosenImage() {
  const [file, setFile] = useState(useInitialEntries<{ file: File | null }>('background', noFile).file)
  useKeepDraft('background', { file }, noFile)
  const [invalidReason, setInvalidReason] = useState<string | null>(null)
  const uploading = useSetBackground(() => setFile(null))
  function choose(chosen: File | null): void {
    const problem = chosen === null ? null : validateImage(chosen)
    uploading.cancel()
    setInvalidReason(problem)
    setFile(problem === null ? chosen : null)
  }
  const { error } = uploading
  const refusal = error === null ? invalidReason : messageOf(error, texts.settings.uploadBackgroundFailed)
  return { ...uploading, file, choose, refusal }
}

/** Shows, replaces and removes the background image of all dashboards. */
export function DashboardBackground() {
  const canSave = useCan('canManageSettings')
  const current = useObjectUrl(useQuery({ ...dashboardBackgroundQuery(), staleTime: 0 }).data)
  const { file, choose, refusal, send, isSending, progress } = useChosenImage()
  const [isRemoving, setIsRemoving] = useState(false)
  const remove = useRemoveBackground(() => setIsRemoving(false))

  return (
    <Card>
      <section aria-labelledby="dashboard-background">
        <h2 id="dashboard-background" className="font-semibold text-lg">
          Dashboard background
        </h2>
        <p className="mt-1 text-muted text-sm">Shown behind the channels on everyone’s dashboard.</p>
        <div className="mt-4 flex flex-col gap-4">
          {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
          {file === null ? (
            <>
              <CurrentImage url={current} />
              <FileDrop
                label="Drop an image here, or click to browse"
                hint="JPEG, PNG, GIF or WebP, under 5 MB. A wide image fits best."
                accept={imageTypes.join()}
                disabled={!canSave}
                onFiles={([chosen]) => choose(chosen ?? null)}
              />
            </>
          ) : (
            <ImagePreview file={file} progress={isSending ? progress : null} />
          )}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {(file !== null || !canSave) && (
              <Button
                variant="primary"
                busy={isSending}
                aria-disabled={!canSave}
                onClick={() => (file === null ? showRefusal() : send(file))}
              >
                Upload background
              </Button>
            )}
            {file !== null && <Button onClick={() => choose(null)}>Cancel</Button>}
            {file === null && current !== null && (
              <Button
                aria-disabled={!canSave}
                onClick={() => (canSave ? setIsRemoving(true) : showRefusal())}
              >
                Remove background
              </Button>
            )}
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
          Everyone’s dashboard will have no background.
        </ConfirmDialog>
      </section>
    </Card>
  )
}
