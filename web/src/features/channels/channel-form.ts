import { type Channel, type ChannelInput, channelInput, languageModels } from '@lyceum/contract/channels'
import type * as z from 'zod/mini'

/** The form always has every entry: what the contract fills in when it is left out does not concern it. */
export const channelForm = channelInput as z.ZodMiniType<ChannelInput, ChannelInput>

const modelOf = (label: string | undefined): ChannelInput['llmModel'] =>
  languageModels.find((model) => model === label) ?? ''

/** What the form starts with: an empty channel with the first model, or what a channel is made of. */
export const entriesOf = (channel: Channel | null): ChannelInput => ({
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

export const isChanged = (now: ChannelInput, start: ChannelInput): boolean =>
  (Object.keys(start) as (keyof ChannelInput)[]).some((name) => !Object.is(now[name], start[name]))
