import * as z from 'zod/mini'
import { languageModel } from './channels.ts'
import { endpoint } from './endpoint.ts'

/** What stands behind the labels right now, for those who set channels up. */
export const assistantStatus = z.object({
  /** 'extractive' when no model endpoint is configured. */
  mode: z.enum(['extractive', 'model']),
  embeddings: z.boolean(),
  models: z.array(
    z.object({ label: languageModel, answeredBy: z.nullable(z.string()), note: z.nullable(z.string()) }),
  ),
})
export type AssistantStatus = z.output<typeof assistantStatus>

export const assistantsApi = {
  status: endpoint({
    method: 'GET',
    path: '/assistants/status',
    access: 'canManageChannels',
    summary: 'Which model answers for each label',
    reply: assistantStatus,
  }),
} as const
