import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The steps from a new installation to one that is in use, in order (docs/product.md, "Get started"). */
export const setupSteps = ['channel', 'documents', 'approval', 'model', 'mail', 'people'] as const
export const setupStep = z.enum(setupSteps)
export type SetupStep = z.output<typeof setupStep>

export const setupProgress = z.object({
  steps: z.array(
    z.object({
      step: setupStep,
      isDone: z.boolean(),
      /** A server is set up, but did not answer when it was used last, or has not been used yet. */
      problem: z.optional(z.enum(['failing', 'untested'])),
    }),
  ),
})
export type SetupProgress = z.output<typeof setupProgress>

export const getStartedApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/get-started',
    access: 'canAccessAdminPanel',
    summary: 'List the setup steps that the user may do, and which of them are done',
    reply: setupProgress,
  }),
} as const
