import { startDeadline, type Timeouts } from './deadline.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Library } from './library.ts'
import { toModelError } from './model-errors.ts'
import { type Embedder, ModelError } from './port.ts'
import type { Report } from './report.ts'
import { readTokenCount } from './token-count.ts'
import type { Transport } from './transport.ts'

const batchSize = 96
/** Enough for 96 vectors of 3,072 numbers as JSON. */
const maxJsonBytes = 32 * 1024 * 1024

export interface EmbedderOptions {
  model: string
  endpoint: Endpoint
  library: Library
  transport: Transport
  timeouts: Timeouts
  report: Report
}

function toUnitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) {
    throw new ModelError('assistant.unavailable', 'an embedding is zero or not finite')
  }
  return Float32Array.from(numbers, (number) => number / length)
}

/** Creates an embedder that sends batches and returns unit vectors. */
export function createEmbedder({
  model,
  endpoint,
  library,
  transport,
  timeouts,
  report,
}: EmbedderOptions): Embedder {
  let dimensions: number | null = null

  function validateEmbeddings(embeddings: readonly number[][], expected: number): Float32Array[] {
    if (embeddings.length !== expected) {
      throw new ModelError(
        'assistant.unavailable',
        `received ${embeddings.length} embeddings for ${expected} texts`,
      )
    }
    return embeddings.map((numbers) => {
      dimensions ??= numbers.length
      if (numbers.length !== dimensions) {
        throw new ModelError(
          'assistant.unavailable',
          `received embeddings with ${dimensions} and ${numbers.length} dimensions`,
        )
      }
      return toUnitVector(numbers)
    })
  }

  async function embedBatch(texts: readonly string[], signal: AbortSignal) {
    const deadline = startDeadline(timeouts, false, signal)
    function onRetry(detail: string) {
      return report.retry(model, detail)
    }
    transport.register({ deadline, expects: 'json', maxJsonBytes, bufferedJson: null, onRetry })
    try {
      // OpenAI refuses an empty text, which would fail the whole batch.
      const values = texts.map((text) => (text.trim() === '' ? '-' : text))
      const embedding = await library.getEmbeddingModel(model)
      const { embeddings, usage } = await embedding.doEmbed({ values, abortSignal: deadline.signal })
      const inputTokens =
        readTokenCount(usage?.tokens) ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0)
      const vectors = validateEmbeddings(embeddings, texts.length)
      report.success(model)
      return { vectors, inputTokens }
    } catch (error) {
      signal.throwIfAborted()
      const failure = deadline.getTimeoutError() ?? toModelError(error, endpoint.apiKey)
      report.failure(model, failure)
      throw failure
    } finally {
      deadline.end()
    }
  }

  return {
    model,
    async embed(texts, signal) {
      signal.throwIfAborted()
      const vectors: Float32Array[] = []
      let inputTokens = 0
      for (let at = 0; at < texts.length; at += batchSize) {
        const batch = await embedBatch(texts.slice(at, at + batchSize), signal)
        vectors.push(...batch.vectors)
        inputTokens += batch.inputTokens
      }
      return { vectors, inputTokens }
    },
  }
}
