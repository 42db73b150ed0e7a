import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, isoTimestamp } from './wire.ts'

/** The parts of an installation that can fail independently. */
export const statusParts = [
  'mail',
  'model',
  'embeddings',
  'reranking',
  'search',
  'storage',
  'database',
  'backups',
  'audit-stream',
  'webhooks',
] as const
export const statusPart = z.enum(statusParts)
export type StatusPart = z.output<typeof statusPart>

/**
 * 'unknown': the part did not answer in time. 'off': it is not set up and not needed. 'untested': it is set up, but has not
 * been used since.
 */
export const partStates = ['ok', 'off', 'untested', 'attention', 'failing', 'unknown'] as const
export type PartState = (typeof partStates)[number]

/** One labelled value. `kind` tells the client how to format it. */
export const statusFact = z.object({
  label: z.string(),
  kind: z.enum(['text', 'count', 'bytes', 'time']),
  /** Times are in milliseconds since the Unix epoch. Null when there is no value yet. */
  value: z.nullable(z.union([z.string(), z.number()])),
  /** A heading above this fact and those after it in the same group. */
  group: z.optional(z.string()),
})
export type StatusFact = z.output<typeof statusFact>

/** Documents that a problem concerns: those that could not be indexed, or those that have no vectors. */
export const documentRemedies = ['mend-documents', 'see-documents-without-vectors'] as const
export type DocumentRemedy = (typeof documentRemedies)[number]

export const partStatus = z.object({
  part: statusPart,
  state: z.enum(partStates),
  /** The state as one sentence. */
  words: z.string(),
  /** When the server of the part failed last, if it has not answered since. */
  failedAt: z.optional(isoTimestamp),
  facts: z.array(statusFact),
  remedy: z.optional(z.enum(documentRemedies)),
})
export type PartStatus = z.output<typeof partStatus>

/** Maximum number of failed jobs in the list, newest first. */
export const failedJobsMaximum = 20

export const failedJob = z.object({
  _id: id,
  name: z.string(),
  attempts: z.number(),
  /** Its last error, with secrets removed. */
  error: z.string(),
  addedAt: isoTimestamp,
})
export type FailedJob = z.output<typeof failedJob>

/** One of several servers on the same database. */
export const serverNode = z.object({
  _id: id,
  name: z.string(),
  role: z.enum(['all', 'web', 'worker']),
  /** A draining server still answers, but is about to stop. */
  state: z.enum(['running', 'draining']),
  /** How far its clock is ahead of that of the database, in milliseconds. */
  clockDifference: z.number(),
  version: z.string(),
  lastSeenAt: isoTimestamp,
})
export type ServerNode = z.output<typeof serverNode>

export const systemStatus = z.object({
  version: z.string(),
  at: isoTimestamp,
  parts: z.array(partStatus),
  /** Empty for a single server. */
  nodes: z.array(serverNode),
  jobs: z.object({
    /** False when no server that runs jobs has been seen for a minute. */
    hasWorker: z.boolean(),
    waiting: z.number(),
    running: z.number(),
    failed: z.number(),
    failures: z.array(failedJob),
  }),
})
export type SystemStatus = z.output<typeof systemStatus>

export const partTestResult = z.object({
  ok: z.boolean(),
  /** The steps and their results, one sentence each. */
  words: z.array(z.string()),
  /** What a server answered, or the system's error code, for a technician. */
  details: z.optional(z.array(z.string())),
  milliseconds: z.number(),
})
export type PartTestResult = z.output<typeof partTestResult>

export const statusApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/status',
    access: 'canManageSettings',
    summary: 'Get the status of each part of the installation',
    reply: systemStatus,
  }),
  test: endpoint({
    method: 'POST',
    path: '/admin/status/:part/test',
    access: 'canManageSettings',
    limit: 'message',
    summary: 'Test one part of the installation; the mail test sends you an email',
    params: z.object({ part: z.string().check(z.maxLength(64)) }),
    reply: partTestResult,
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/admin/jobs/:id/retry',
    access: 'canManageSettings',
    summary: 'Retry a failed job',
    params: idParams,
    reply: 'none',
  }),
} as const
