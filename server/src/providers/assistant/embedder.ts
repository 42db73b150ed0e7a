import { createHash } from 'node:crypto'
import { type CircuitBreaker, isTextRefusal, isTimeout } from './circuit-breaker.ts'
import { startDeadline, type Timeouts } from './deadline.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Library } from './library.ts'
import { toModelError } from './model-errors.ts'
import { type EmbeddedBatch, type Embedder, ModelError, type TextPurpose } from './port.ts'
import type { Report } from './report.ts'
import { readTokenCount } from './token-count.ts'
import type { Transport } from './transport.ts'

/** As many as Text Embeddings Inference accepts by default. */
const batchSize = 32
/** Enough for 32 vectors of 8,192 numbers as JSON. */
const maxJsonBytes = 32 * 1024 * 1024
/** A text that the model refuses is shortened to no less than this many characters. */
const minTextLength = 200

/** Where texts are embedded, and how they are written for the model. */
export interface EmbeddingConnection {
  /** Empty: OpenAI. */
  baseUrl: string
  /** Empty: none. */
  apiKey: string
  model: string
  /** Written before each question, with a space. A line break is written as \n. */
  queryPrefix: string
  /** Written before each passage, likewise. */
  passagePrefix: string
}

export interface EmbedderOptions {
  connection: EmbeddingConnection
  endpoint: Endpoint
  library: Library
  transport: Transport
  timeouts: Timeouts
  breaker: CircuitBreaker
  report: Report
}

function toUnitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) {
    throw new ModelError('assistant.unavailable', 'an embedding is zero or not finite')
  }
  return Float32Array.from(numbers, (number) => number / length)
}

function toUnitVectors(embeddings: readonly number[][], expected: number): Float32Array[] {
  if (embeddings.length !== expected) {
    throw new ModelError(
      'assistant.unavailable',
      `received ${embeddings.length} embeddings for ${expected} texts`,
    )
  }
  requireSameLength(embeddings)
  return embeddings.map(toUnitVector)
}

function requireSameLength(embeddings: readonly { length: number }[]): void {
  const [first, other] = new Set(embeddings.map(({ length }) => length))
  if (other === undefined) return
  throw new ModelError('assistant.unavailable', `received embeddings with ${first} and ${other} dimensions`)
}

/** The passages of two connections with the same fingerprint get comparable vectors. The key may differ. */
function computeFingerprint({ baseUrl }: Endpoint, { model, passagePrefix }: EmbeddingConnection): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, model, passagePrefix]))
    .digest('hex')
    .slice(0, 16)
}

/** OpenAI refuses an empty text, which would fail the whole batch. */
function writeText(prefix: string, text: string): string {
  const written = text.trim() === '' ? '-' : text
  return prefix === '' ? written : `${prefix.replaceAll(String.raw`\n`, '\n')} ${written}`
}

/** Creates an embedder that sends batches and returns unit vectors. */
export function createEmbedder({
  connection,
  endpoint,
  library,
  transport,
  timeouts,
  breaker,
  report,
}: EmbedderOptions): Embedder {
  const { model, queryPrefix, passagePrefix } = connection

  async function requestBatch(values: string[], signal: AbortSignal): Promise<EmbeddedBatch> {
    const deadline = startDeadline(timeouts, false, signal)
    function onRetry(detail: string) {
      return report.retry(model, detail)
    }
    transport.register({ deadline, expects: 'json', maxJsonBytes, bufferedJson: null, onRetry })
    try {
      const embedding = await library.getEmbeddingModel(model)
      const { embeddings, usage } = await embedding.doEmbed({ values, abortSignal: deadline.signal })
      const inputTokens =
        readTokenCount(usage?.tokens) ?? values.reduce((sum, text) => sum + estimateTokens(text), 0)
      const vectors = toUnitVectors(embeddings, values.length)
      report.success(model)
      return { vectors, inputTokens }
    } catch (error) {
      if (isTimeout(signal.reason))
        report.failure(model, new ModelError('assistant.timeout', 'no answer within the time limit'))
      signal.throwIfAborted()
      const failure = deadline.getTimeoutError() ?? toModelError(error, endpoint.apiKey)
      report.failure(model, failure)
      throw failure
    } finally {
      deadline.end()
    }
  }

  /** One text that is too long must not leave the others, or itself, without a vector. */
  async function embedBatch(values: string[], signal: AbortSignal): Promise<EmbeddedBatch> {
    try {
      return await breaker.run(() => requestBatch(values, signal), signal)
    } catch (error) {
      if (!isTextRefusal(error)) throw error
      const [only = ''] = values
      if (values.length === 1) {
        if (only.length < 2 * minTextLength) throw error
        return embedBatch([only.slice(0, only.length / 2).toWellFormed()], signal)
      }
      const middle = Math.ceil(values.length / 2)
      const first = await embedBatch(values.slice(0, middle), signal)
      const second = await embedBatch(values.slice(middle), signal)
      return {
        vectors: [...first.vectors, ...second.vectors],
        inputTokens: first.inputTokens + second.inputTokens,
      }
    }
  }

  async function embed(texts: readonly string[], purpose: TextPurpose, signal: AbortSignal) {
    signal.throwIfAborted()
    const prefix = purpose === 'question' ? queryPrefix : passagePrefix
    const vectors: Float32Array[] = []
    let inputTokens = 0
    for (let at = 0; at < texts.length; at += batchSize) {
      const values = texts.slice(at, at + batchSize).map((text) => writeText(prefix, text))
      const batch = await embedBatch(values, signal)
      vectors.push(...batch.vectors)
      inputTokens += batch.inputTokens
    }
    requireSameLength(vectors)
    return { vectors, inputTokens }
  }

  return {
    model,
    fingerprint: computeFingerprint(endpoint, connection),
    get pausedUntil() {
      return breaker.pausedUntil
    },
    resume: breaker.resume,
    embed,
  }
}
