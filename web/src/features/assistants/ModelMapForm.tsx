import {
  type AssistantStatus,
  assistantsApi,
  type MappedLabel,
  type ModelMap,
  mappedLabels,
} from '@lyceum/contract/assistants'
import { type LanguageModel, languageModels } from '@lyceum/contract/channels'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { useCan } from '#features/auth/use-can.ts'
import { useDraftForm, useInitialEntries, useKeepDraft } from '#lib/form-drafts.tsx'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { banner } from '#ui/banner.ts'
import { SaveButton } from '#ui/SaveButton.tsx'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'
import { ConnectModel } from './ConnectModel.tsx'
import { ModelMapTable } from './ModelMapTable.tsx'
import { useSaveModelMap } from './mutations.ts'

type MapEntries = Record<MappedLabel, string>

const mapForm = assistantsApi.setModelMap.body.shape.map as z.ZodMiniType<ModelMap, MapEntries>

function toEntries(map: ModelMap): MapEntries {
  return Object.fromEntries(mappedLabels.map((label) => [label, map[label] ?? ''])) as MapEntries
}

/** Picks only the changed entries, because another administrator may have changed others meanwhile. */
function pickChanges(map: ModelMap, stored: MapEntries): ModelMap {
  return Object.fromEntries(
    Object.entries(map).filter(([label, model]) => model !== stored[label as MappedLabel]),
  )
}

function NoModelBanner() {
  return (
    <div className="px-5 pb-4">
      <Banner tone="info">
        No model is connected, so replies quote the closest passages from approved documents. <ConnectModel />{' '}
        The entries below apply from then on.
      </Banner>
    </div>
  )
}

function listOffered({ models }: AssistantStatus): LanguageModel[] {
  return models.flatMap(({ label, offered }) => (offered ? [label] : []))
}

/** Edits the model map and the labels on offer. */
export function ModelMapForm({ status }: { status: AssistantStatus }) {
  const canSave = useCan('canManageSettings')
  const form = useDraftForm('model-map', mapForm, toEntries(status.modelMap))
  const save = useSaveModelMap()
  const reset = useSaveModelMap()

  const storedOffer = { labels: listOffered(status).join() }
  // The draft holds the labels as one string, because it compares values and not lists.
  const [offer, setOffer] = useState(useInitialEntries('offer', storedOffer))
  const isOfferChanged = useKeepDraft('offer', offer, storedOffer)
  const isChanged = form.isChanged || isOfferChanged
  const offered = languageModels.filter((label) => offer.labels.split(',').includes(label))

  const send = form.handleSubmit(async (map) => {
    if (offered.length === 0) return
    try {
      const status = await save.mutateAsync({
        map: pickChanges(map, form.stored),
        ...(isOfferChanged ? { offered } : {}),
      })
      setOffer({ labels: listOffered(status).join() })
      form.reset(toEntries(status.modelMap))
    } catch {
      // The mutation shows the error; the form keeps its entries.
    }
  })
  function showRefusal(): void {
    banner.error(texts.permissions.manageSettings)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    if (canSave) {
      send(event)
      return
    }
    event.preventDefault()
    showRefusal()
  }
  function setLabelOffered(label: LanguageModel, isOffered: boolean): void {
    const labels = languageModels.filter((candidate) =>
      candidate === label ? isOffered : offered.includes(candidate),
    )
    setOffer({ labels: labels.join() })
  }
  function resetLabel(label: MappedLabel): void {
    if (!canSave) {
      showRefusal()
      return
    }
    reset.mutate({ map: { [label]: '' } }, { onSuccess: () => form.acceptEntry(label, '') })
  }
  function discard(): void {
    form.discard()
    setOffer(storedOffer)
  }
  return (
    <>
      {status.mode === 'extractive' && <NoModelBanner />}
      <form noValidate onSubmit={submit}>
        <div className="border-hairline border-y px-1">
          <ModelMapTable
            status={status}
            form={form}
            readOnly={!canSave}
            isResetting={reset.isPending}
            offered={offered}
            onOfferedChange={setLabelOffered}
            onReset={resetLabel}
          />
        </div>
        {offered.length === 0 && (
          <p role="alert" className="px-5 pt-4 text-danger text-sm">
            Offer at least one model.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-3 p-5">
          <SaveButton isChanged={isChanged || !canSave} busy={save.isPending} aria-disabled={!canSave}>
            Save Models
          </SaveButton>
          <UnsavedChanges isChanged={isChanged} onDiscard={discard} />
        </div>
      </form>
    </>
  )
}
