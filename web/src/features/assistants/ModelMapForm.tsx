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
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { ModelMapTable } from './ModelMapTable.tsx'
import { useSaveModelMap } from './mutations.ts'

type MapEntries = Record<MappedLabel, string>

const mapForm = assistantsApi.setModelMap.body.shape.map as z.ZodMiniType<ModelMap, MapEntries>

function entriesOf(map: ModelMap): MapEntries {
  return Object.fromEntries(mappedLabels.map((label) => [label, map[label] ?? ''])) as MapEntries
}

/** Only what was entered is sent: another administrator may have changed the rest meanwhile. */
function changesOf(map: ModelMap, start: MapEntries): ModelMap {
  return Object.fromEntries(
    Object.entries(map).filter(([label, model]) => model !== start[label as MappedLabel]),
  )
}

function Extractive() {
  return (
    <div className="px-5 pb-4">
      <Banner tone="info">
        No language model is configured. The built-in assistant answers instead: it quotes the closest
        passages of the approved documents, and says so. Set <code>OPENAI_API_KEY</code> or{' '}
        <code>OPENAI_BASE_URL</code> to have models answer; what is entered here holds from then on.
      </Banner>
    </div>
  )
}

function offeredOf({ models }: AssistantStatus): LanguageModel[] {
  return models.flatMap(({ label, offered }) => (offered ? [label] : []))
}

/** The map of models: what answers now, and what administrators want to answer. */
export function ModelMapForm({ status }: { status: AssistantStatus }) {
  const maySave = useCan('canManageSettings')
  const [start, setStart] = useState(() => entriesOf(status.modelMap))
  const form = useSchemaForm(mapForm, start)
  const save = useSaveModelMap()
  const reset = useSaveModelMap()

  const [offered, setOffered] = useState(() => offeredOf(status))

  const send = form.handleSubmit(async (map) => {
    if (offered.length === 0) return
    const isOfferChanged = offered.join() !== offeredOf(status).join()
    try {
      const kept = await save.mutateAsync({
        map: changesOf(map, start),
        ...(isOfferChanged ? { offered } : {}),
      })
      const saved = entriesOf(kept.modelMap)
      setStart(saved)
      setOffered(offeredOf(kept))
      form.reset(saved)
    } catch {
      // Said by the mutation; the entries stay.
    }
  })
  function refuse(): void {
    banner.error(texts.permissions.manageSettings)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    if (maySave) {
      send(event)
      return
    }
    event.preventDefault()
    refuse()
  }
  function offer(label: LanguageModel, isOffered: boolean): void {
    setOffered(languageModels.filter((one) => (one === label ? isOffered : offered.includes(one))))
  }
  function resetLabel(label: MappedLabel): void {
    if (!maySave) {
      refuse()
      return
    }
    reset.mutate(
      { map: { [label]: '' } },
      {
        onSuccess: () => {
          setStart({ ...start, [label]: '' })
          form.set(label, '')
        },
      },
    )
  }
  return (
    <>
      {status.mode === 'extractive' && <Extractive />}
      <form noValidate onSubmit={submit}>
        <div className="border-hairline border-y px-1">
          <ModelMapTable
            status={status}
            form={form}
            readOnly={!maySave}
            isResetting={reset.isPending}
            offered={offered}
            onOffer={offer}
            onReset={resetLabel}
          />
        </div>
        {offered.length === 0 && (
          <p role="alert" className="px-5 pt-4 text-danger text-sm">
            Offer at least one model.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-5">
          <Button type="submit" variant="primary" busy={save.isPending} aria-disabled={!maySave}>
            Save Models
          </Button>
          {!maySave && <p className="text-muted text-sm">{texts.permissions.manageSettings}</p>}
        </div>
      </form>
    </>
  )
}
