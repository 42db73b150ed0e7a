import { type Channel, type ChannelInput, channelInput, languageModels } from '@lyceum/contract/channels'
import type * as z from 'zod/mini'

/** The form always has every entry, also those that other callers may leave out. */
export type ChannelEntries = ChannelInput & { allowProposals: boolean; retentionDays: number | null }

export const channelForm = channelInput as z.ZodMiniType<ChannelEntries, ChannelEntries>

const modelOf = (label: string | undefined): ChannelInput['llmModel'] =>
  languageModels.find((model) => model === label) ?? ''

/** What the form starts with: an empty channel with the first model, or what a channel is made of. */
export const entriesOf = (channel: Channel | null): ChannelEntries => ({
  name: channel?.name ?? '',
  description: channel?.description ?? '',
  systemPrompt: channel?.systemPrompt ?? '',
  llmModel: channel === null ? languageModels[0] : modelOf(channel.llmModel),
  strictDocumentsOnly: channel?.strictDocumentsOnly ?? false,
  allowProposals: channel?.allowProposals ?? false,
  useAssistant: channel?.useAssistant ?? false,
  openaiAssistantId: channel?.openaiAssistantId ?? '',
  retentionDays: channel?.retentionDays ?? null,
})

export const isChanged = (now: ChannelEntries, start: ChannelEntries): boolean =>
  (Object.keys(start) as (keyof ChannelEntries)[]).some((name) => !Object.is(now[name], start[name]))
