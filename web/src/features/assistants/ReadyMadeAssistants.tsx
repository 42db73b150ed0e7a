import type { Preset } from '@lyceum/contract/assistants'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages/admin.ts'
import { AssistantsSection } from './AssistantsSection.tsx'
import { DeletePresetDialog } from './DeletePresetDialog.tsx'
import { PresetDialog } from './PresetDialog.tsx'
import { PresetList } from './PresetList.tsx'
import { assistantStatusQuery, presetsQuery } from './queries.ts'

type Opened = { window: 'form'; preset: Preset | null } | { window: 'delete'; preset: Preset }

const deleteRefusal = (channelCount: number): string =>
  `${channelCount === 1 ? 'One channel uses' : `${channelCount} channels use`} this assistant. Choose another one there before you delete it.`

const ExternalNote = ({ external }: { external: boolean }) => (
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

/** The assistants that channels name by an id: listed, made, changed and deleted. */
export const ReadyMadeAssistants = () => {
  const mayChange = useCan('canManageSettings')
  const maySee = useCan('canManageChannels')
  const list = useQuery({ ...presetsQuery(), enabled: maySee })
  const { data: status } = useQuery({ ...assistantStatusQuery(), enabled: maySee })
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = (): void => setOpened(null)
  const presets = list.data

  const create = (): void => {
    if (mayChange) setOpened({ window: 'form', preset: null })
    else notice.error(messages.permissions.manageSettings)
  }
  const remove = (preset: Preset): void => {
    if (!mayChange) notice.error(messages.permissions.manageSettings)
    else if (preset.channelCount === 0) setOpened({ window: 'delete', preset })
    else {
      notice.error(deleteRefusal(preset.channelCount))
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
      failed={messages.assistants.loadFailed}
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
