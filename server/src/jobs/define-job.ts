import type * as z from 'zod'

export interface JobContext {
  /** From 1. */
  attempt: number
  /** True when a failure now is the last one: leave a visible state. */
  isLastAttempt: boolean
  signal: AbortSignal
}

/** Work that outlives the request which asked for it. It may run twice: a handler must be harmless then. */
export interface JobDefinition<D, P> {
  name: string
  payload: z.ZodType<P>
  /** Waits before the second, third … attempt, in milliseconds; their number is that of the retries. */
  retryDelays: readonly number[]
  handler: (deps: D, payload: P, context: JobContext) => Promise<void>
  /** For jobs that repeat by themselves: the time between two runs, in milliseconds. */
  every?: number
}

/** As the runner sees it: the payload is parsed again where it runs. */
export interface RunnableJob<D> {
  name: string
  retryDelays: readonly number[]
  every: number | null
  run: (deps: D, payload: unknown, context: JobContext) => Promise<void>
}

export interface DefinedJob<D, P> extends RunnableJob<D> {
  payload: z.ZodType<P>
}

export const defineJob = <D, P>(definition: JobDefinition<D, P>): DefinedJob<D, P> => ({
  name: definition.name,
  payload: definition.payload,
  retryDelays: definition.retryDelays,
  every: definition.every ?? null,
  run: (deps, payload, context) => definition.handler(deps, definition.payload.parse(payload), context),
})

/** The waits of security.md for work on documents and mail. */
export const usualRetries = [5_000, 60_000, 600_000] as const
