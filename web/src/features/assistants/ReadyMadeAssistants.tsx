import type { Preset } from '@lyceum/contract/assistants'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { AssistantsSection } from './AssistantsSection.tsx'
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
      <p className="mt-1">Its instructions go for good. No channel uses it.</p>
    </ConfirmDialog>
  )
}

type Opened = { window: 'form'; preset: Preset | null } | { window: 'delete'; preset: Preset }

function deleteRefusal(channelCount: number): string {
  return `${channelCount === 1 ? 'One channel uses' : `${channelCount} channels use`} this assistant. Choose another one there before you delete it.`
}

function ExternalNote({ external }: { external: boolean }) {
  return (
    <p>
      {external ? (
        <>
          An assistant id that is none of these is asked for at a server of assistants: the one in{' '}
          <code>ASSISTANTS_BASE_URL</code>, or else the model endpoint.
        </>
      ) : (
        <>
          An assistant id that is none of these reaches nobody. To use assistants of another server, set{' '}
          <code>ASSISTANTS_BASE_URL</code> to one that speaks the Assistants protocol.
        </>
      )}
    </p>
  )
}

/** The assistants that channels name by an id: listed, made, changed and deleted. */
export function ReadyMadeAssistants() {
  const mayChange = useCan('canManageSettings')
  const maySee = useCan('canManageChannels')
  const list = useQuery({ ...presetsQuery(), enabled: maySee })
  const { data: status } = useQuery({ ...assistantStatusQuery(), enabled: maySee })
  const [opened, setOpened] = useState<Opened | null>(null)
  function close(): void {
    setOpened(null)
  }
  const presets = list.data

  function create(): void {
    if (mayChange) setOpened({ window: 'form', preset: null })
    else banner.error(texts.permissions.manageSettings)
  }
  function remove(preset: Preset): void {
    if (!mayChange) banner.error(texts.permissions.manageSettings)
    else if (preset.channelCount === 0) setOpened({ window: 'delete', preset })
    else {
      banner.error(deleteRefusal(preset.channelCount))
      // The channels may have chosen another one since.
      void list.refetch()
    }
  }
  const newButton = (
    <Button variant="primary" aria-disabled={!mayChange} onClick={create}>
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
            Instructions, a model and options under one id, which a channel names instead of having a prompt
            of its own.
          </p>
          {status && <ExternalNote external={status.external} />}
        </>
      }
      action={presets !== undefined && presets.length > 0 && newButton}
      query={list}
      loading="Loading the ready-made assistants…"
      failed={texts.assistants.loadFailed}
    >
      {presets === undefined ? null : (
        <>
          {status?.mode === 'extractive' && presets.length > 0 && (
            <div className="px-5 pb-4">
              <Banner tone="warning">
                No language model is configured, so these assistants cannot answer yet.
              </Banner>
            </div>
          )}
          {presets.length === 0 ? (
            <EmptyState icon={Bot} action={newButton}>
              There are no ready-made assistants yet.
            </EmptyState>
          ) : (
            <PresetList
              presets={presets}
              models={status?.models ?? []}
              mayChange={mayChange}
              onOpen={(preset) => setOpened({ window: 'form', preset })}
              onDelete={remove}
            />
          )}
          {opened?.window === 'form' && (
            <PresetDialog
              preset={opened.preset}
              presets={presets}
              models={status?.models ?? []}
              onClose={close}
            />
          )}
          {opened?.window === 'delete' && <DeletePresetDialog preset={opened.preset} onClose={close} />}
        </>
      )}
    </AssistantsSection>
  )
}
