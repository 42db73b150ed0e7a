import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, instant } from './wire.ts'

/** What an installation is made of, as far as it can be out of order by itself. */
export const statusParts = [
  'mail',
  'model',
  'embeddings',
  'search',
  'storage',
  'database',
  'backups',
] as const
export const statusPart = z.enum(statusParts)
export type StatusPart = z.output<typeof statusPart>

/** 'unknown' did not answer in time; 'off' is not set up, and nothing is missed. */
export const partStates = ['ok', 'off', 'attention', 'failing', 'unknown'] as const
export type PartState = (typeof partStates)[number]

/** One thing to know, told by its kind so that it can be shown as people write it. */
export const statusFact = z.object({
  label: z.string(),
  kind: z.enum(['text', 'count', 'bytes', 'time']),
  /** Milliseconds since 1970 for a time; null where there is none yet. */
  value: z.nullable(z.union([z.string(), z.number()])),
})
export type StatusFact = z.output<typeof statusFact>

export const partStatus = z.object({
  part: statusPart,
  state: z.enum(partStates),
  /** What the state means, in one sentence. */
  words: z.string(),
  facts: z.array(statusFact),
})
export type PartStatus = z.output<typeof partStatus>

/** At most so many failed jobs are listed, the newest first. */
export const failuresListed = 20

export const failedJob = z.object({
  _id: id,
  name: z.string(),
  attempts: z.number(),
  /** Its last error, without anything that opens a door. */
  error: z.string(),
  addedAt: instant,
})
export type FailedJob = z.output<typeof failedJob>

export const systemStatus = z.object({
  version: z.string(),
  at: instant,
  parts: z.array(partStatus),
  jobs: z.object({
    waiting: z.number(),
    running: z.number(),
    failed: z.number(),
    failures: z.array(failedJob),
  }),
})
export type SystemStatus = z.output<typeof systemStatus>

export const partTrial = z.object({
  ok: z.boolean(),
  /** What was done and how it went, a sentence each. */
  words: z.array(z.string()),
  milliseconds: z.number(),
})
export type PartTrial = z.output<typeof partTrial>

export const statusApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/status',
    access: 'canManageSettings',
    summary: 'The state of the parts of this installation',
    reply: systemStatus,
  }),
  test: endpoint({
    method: 'POST',
    path: '/admin/status/:part/test',
    access: 'canManageSettings',
    limit: 'message',
    summary: 'Try one part out; a test letter goes to oneself',
    params: z.object({ part: z.string().check(z.maxLength(64)) }),
    reply: partTrial,
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/admin/jobs/:id/retry',
    access: 'canManageSettings',
    summary: 'Try a failed job again',
    params: idParams,
    reply: 'none',
  }),
} as const
