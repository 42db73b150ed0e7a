import type * as z from 'zod'

export interface JobContext {
  /** From 1. */
  attempt: number
  /** True when a failure now is the last one: leave a visible state. */
  isLastAttempt: boolean
  signal: AbortSignal
}

/** What a handler throws when another attempt could only fail the same way. */
export class GiveUp extends Error {}

/** Work that outlives the request which asked for it. It may run twice: a handler must be harmless then. */
export interface JobDefinition<D, P> {
  name: string
  payload: z.ZodType<P>
  /** Waits before the second, third … attempt, in milliseconds; their number is that of the retries. */
  retryDelays: readonly number[]
  handler: (deps: D, payload: P, context: JobContext) => Promise<void>
  /** Long work has slots of its own, so that a thousand documents do not hold up a letter. */
  isLong?: boolean
  /** For jobs that repeat by themselves: the time between two runs, in milliseconds. */
  every?: number
}

/** As the runner sees it: the payload is parsed again where it runs. */
export interface RunnableJob<D> {
  name: string
  retryDelays: readonly number[]
  every: number | null
  isLong: boolean
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
    isLong: definition.isLong ?? false,
    run: (deps, payload, context) => definition.handler(deps, definition.payload.parse(payload), context),
  }
}

/** The waits for work on documents: docs/decisions/0004. */
export const usualRetries = [5_000, 60_000, 600_000] as const
