import {
  type AssistantStatus,
  assistantsApi,
  type ModelMap,
  type Preset,
  type PresetInput,
  type PresetTrial,
} from '@lyceum/contract/assistants'
import type { LanguageModel } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { assistantStatusQuery, assistantsKey } from './queries.ts'

function useInvalidateAssistants() {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: assistantsKey }),
      // Warnings on channels depend on the available assistants.
      client.invalidateQueries({ queryKey: channelsKey }),
    ])
}

/** Creates an assistant, or changes the one with this id. The form shows errors. */
export function useSavePreset(id: string | null) {
  const refresh = useInvalidateAssistants()
  return useMutation({
    mutationFn: (body: PresetInput) =>
      id === null
        ? call(assistantsApi.createPreset, { body })
        : call(assistantsApi.updatePreset, { params: { id }, body }),
    onSuccess: refresh,
  })
}

export function useRemovePreset() {
  const refresh = useInvalidateAssistants()
  return useMutation({
    mutationFn: ({ _id }: Preset) => call(assistantsApi.removePreset, { params: { id: _id } }),
    onSuccess: () => banner.success(texts.assistants.remove.done),
    onError: (error) => banner.error(messageOf(error, texts.assistants.remove.failed)),
    // Reload after a refusal too, because a channel may have started to use it.
    onSettled: refresh,
  })
}

export function useTryPreset() {
  return useMutation({ mutationFn: (body: PresetTrial) => call(assistantsApi.tryPreset, { body }) })
}

/** Changes only the given entries of the map. */
export function useSaveModelMap() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { map: ModelMap; offered?: LanguageModel[] }): Promise<AssistantStatus> =>
      call(assistantsApi.setModelMap, { body }),
    onSuccess: (status) => {
      client.setQueryData(assistantStatusQuery().queryKey, status)
      void client.invalidateQueries({ queryKey: channelsKey })
      banner.success(texts.assistants.models.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.assistants.models.failed)),
  })
}
