import type * as z from 'zod'

export interface JobContext {
  /** Starts at 1. */
  attempt: number
  /** No retry follows if this attempt fails, so the handler should store a state that shows the failure. */
  isLastAttempt: boolean
  signal: AbortSignal
}

/**
 * Jobs of one lane share its slots and wait for each other. A thousand documents do not delay an email, a document
 * that takes minutes to read does not delay the others, and neither does a model endpoint or a webhook that does not
 * respond.
 */
export const laneSlots = { short: 2, long: 2, slow: 1, model: 2, webhooks: 4 } as const
export type Lane = keyof typeof laneSlots

/** Thrown by a handler when a retry would fail in the same way. */
export class PermanentJobError extends Error {}

/** Work that runs after the request that needs it. Handlers must be idempotent, as a job may run twice. */
export interface JobDefinition<D, P> {
  name: string
  payload: z.ZodType<P>
  /** Milliseconds before the second, third … attempt; one entry per retry. */
  retryDelays: readonly number[]
  handler: (deps: D, payload: P, context: JobContext) => Promise<void>
  /** `short` by default. */
  lane?: Lane
  /** Jobs with the same word here never run at the same time, on any server. A job does nothing if another one runs. */
  alone?: string
  /** For repeating jobs: milliseconds between two runs. */
  every?: number
}

/** A job as the runner sees it. The payload is parsed again before it runs. */
export interface RunnableJob<D> {
  name: string
  retryDelays: readonly number[]
  every: number | null
  alone: string | null
  lane: Lane
  run: (deps: D, payload: unknown, context: JobContext) => Promise<void>
}

export interface DefinedJob<D, P> extends RunnableJob<D> {
  payload: z.ZodType<P>
}

export function defineJob<D, P>(definition: JobDefinition<D, P>): DefinedJob<D, P> {
  return {
    name: definition.name,
    payload: definition.payload,
    retryDelays: definition.retryDelays,
    every: definition.every ?? null,
    alone: definition.alone ?? null,
    lane: definition.lane ?? 'short',
    run: (deps, payload, context) => definition.handler(deps, definition.payload.parse(payload), context),
  }
}

/** See docs/decisions/0004. */
export const defaultRetryDelays = [5_000, 60_000, 600_000] as const
