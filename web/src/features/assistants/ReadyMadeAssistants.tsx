import type { Preset } from '@lyceum/contract/assistants'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { channelsWithArchivedQuery } from '#features/channels/queries.ts'
import { assistantFieldPath } from '#lib/channel-paths.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { AssistantsSection } from './AssistantsSection.tsx'
import { ConnectModel } from './ConnectModel.tsx'
import { useRemovePreset } from './mutations.ts'
import { PresetDialog } from './PresetDialog.tsx'
import { PresetList } from './PresetList.tsx'
import { assistantStatusQuery, presetsQuery } from './queries.ts'

interface Props {
  preset: Preset
  onClose: () => void
}

function DeletePresetDialog({ preset, onClose }: Props) {
  const remove = useRemovePreset()
  return (
    <ConfirmDialog
      open
      title="Delete this assistant?"
      confirmLabel="Delete assistant"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(preset, { onSettled: onClose })}
      onCancel={onClose}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-4 text-start font-medium text-ink">
        {preset.name}
      </p>
      <p className="mt-1">Its instructions will be permanently deleted. No channel uses it.</p>
    </ConfirmDialog>
  )
}

type OpenDialog = { type: 'form'; preset: Preset | null } | { type: 'delete' | 'in-use'; preset: Preset }

function explainInUse(channelCount: number): string {
  return `${channelCount === 1 ? 'One channel uses' : `${channelCount} channels use`} this assistant. Choose another one in ${channelCount === 1 ? 'that channel' : 'those channels'} first.`
}

const maxListed = 8

/** Says which channels use an assistant, because it cannot be deleted before they use another one. */
function InUseDialog({ preset, onClose }: Props) {
  const canEdit = useCan('canEditChannels')
  const { data: channels = [] } = useQuery({ ...channelsWithArchivedQuery(), meta: { quiet: true } })
  const using = channels.filter(
    ({ useAssistant, openaiAssistantId }) => useAssistant && openaiAssistantId === preset.assistantId,
  )
  return (
    <Dialog
      open
      size="small"
      title="This assistant is in use"
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p className="text-sm">{explainInUse(preset.channelCount)}</p>
      <ul className="mt-3 flex flex-col gap-2 text-sm">
        {using.slice(0, maxListed).map(({ _id, name }) => (
          <li key={_id} dir="auto" className="wrap-anywhere text-start">
            {canEdit ? <TextLink to={assistantFieldPath(_id)}>{name}</TextLink> : name}
          </li>
        ))}
      </ul>
      {using.length > maxListed && (
        <p className="mt-2 text-muted text-sm">and {using.length - maxListed} more</p>
      )}
    </Dialog>
  )
}

function NoModelBanner() {
  return (
    <div className="px-5 pb-4">
      <Banner tone="warning">
        No model is connected, so these assistants cannot answer yet. <ConnectModel />
      </Banner>
    </div>
  )
}

function ExternalNote({ external }: { external: boolean }) {
  return (
    <p>
      {external ? (
        <>
          Other IDs are looked up at <code>ASSISTANTS_BASE_URL</code>, or at the model’s server if it is not
          set.
        </>
      ) : (
        <>
          No other IDs can be used. To use assistants from another server, set{' '}
          <code>ASSISTANTS_BASE_URL</code> to one that supports the Assistants API.
        </>
      )}
    </p>
  )
}

/** Manages the assistants that channels refer to by ID. */
export function ReadyMadeAssistants() {
  const canEdit = useCan('canManageSettings')
  const canView = useCan('canManageChannels')
  const list = useQuery({ ...presetsQuery(), enabled: canView })
  const { data: status } = useQuery({ ...assistantStatusQuery(), enabled: canView })
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  function close(): void {
    setDialog(null)
  }
  const presets = list.data

  function openCreateDialog(): void {
    if (canEdit) setDialog({ type: 'form', preset: null })
    else banner.error(texts.permissions.manageSettings)
  }
  function openDeleteDialog(preset: Preset): void {
    if (!canEdit) banner.error(texts.permissions.manageSettings)
    else if (preset.channelCount === 0) setDialog({ type: 'delete', preset })
    else {
      setDialog({ type: 'in-use', preset })
      // Reload, because the channels may have changed since.
      void list.refetch()
    }
  }
  const newButton = (
    <Button variant="primary" aria-disabled={!canEdit} onClick={openCreateDialog}>
      <Plus aria-hidden="true" className="size-4" />
      New Assistant
    </Button>
  )
  return (
    <AssistantsSection
      title="Ready-made assistants"
      intro={
        <>
          <p>
            Reusable assistants: instructions, a model and options that a channel can use by ID instead of its
            own prompt.
          </p>
          {status && <ExternalNote external={status.external} />}
        </>
      }
      action={presets !== undefined && presets.length > 0 && newButton}
      query={list}
      loadingText="Loading the ready-made assistants…"
      errorText={texts.assistants.loadFailed}
    >
      {presets === undefined ? null : (
        <>
          {status?.mode === 'extractive' && presets.length > 0 && <NoModelBanner />}
          {presets.length === 0 ? (
            <EmptyState icon={Bot} action={newButton}>
              No ready-made assistants yet.
            </EmptyState>
          ) : (
            <PresetList
              presets={presets}
              models={status?.models ?? []}
              canEdit={canEdit}
              onOpen={(preset) => setDialog({ type: 'form', preset })}
              onDelete={openDeleteDialog}
            />
          )}
          {dialog?.type === 'form' && (
            <PresetDialog
              preset={dialog.preset}
              presets={presets}
              models={status?.models ?? []}
              onClose={close}
            />
          )}
          {dialog?.type === 'in-use' && <InUseDialog preset={dialog.preset} onClose={close} />}
          {dialog?.type === 'delete' && <DeletePresetDialog preset={dialog.preset} onClose={close} />}
        </>
      )}
    </AssistantsSection>
  )
}
