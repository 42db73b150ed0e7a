import { startDeadline, type Timeouts } from './deadline.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateTokens } from './estimate.ts'
import { toModelError } from './failure.ts'
import type { Library } from './library.ts'
import { type Embedder, ModelError } from './port.ts'
import type { Report } from './report.ts'
import type { Wire } from './wire.ts'

const batchSize = 96
/** 96 vectors of 3,072 numbers, written out in full. */
const maxJsonBytes = 32 * 1024 * 1024

export interface EmbedderParts {
  model: string
  endpoint: Endpoint
  library: Library
  wire: Wire
  timeouts: Timeouts
  report: Report
}

function toUnit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers)
  if (!Number.isFinite(length) || length === 0) {
    throw new ModelError('assistant.unavailable', 'an embedding is not a usable vector')
  }
  return Float32Array.from(numbers, (number) => number / length)
}

/** Embeddings from the same endpoint, batch by batch, as unit vectors. */
export function createEmbedder({
  model,
  endpoint,
  library,
  wire,
  timeouts,
  report,
}: EmbedderParts): Embedder {
  let dimensions: number | null = null

  function checked(embeddings: readonly number[][], expected: number): Float32Array[] {
    if (embeddings.length !== expected) {
      throw new ModelError(
        'assistant.unavailable',
        `${embeddings.length} embeddings came for ${expected} texts`,
      )
    }
    return embeddings.map((numbers) => {
      dimensions ??= numbers.length
      if (numbers.length !== dimensions) {
        throw new ModelError(
          'assistant.unavailable',
          `embeddings of ${dimensions} and ${numbers.length} numbers`,
        )
      }
      return toUnit(numbers)
    })
  }

  async function embedBatch(texts: readonly string[], signal: AbortSignal) {
    const deadline = startDeadline(timeouts, false, signal)
    function onRetry(detail: string) {
      return report.retry(model, detail)
    }
    wire.open({ deadline, expects: 'json', maxJsonBytes, kept: null, onRetry })
    try {
      // An empty text is refused by OpenAI, and one bad text would fail its whole batch.
      const values = texts.map((text) => (text.trim() === '' ? '-' : text))
      const embedding = await library.embedding(model)
      const { embeddings, usage } = await embedding.doEmbed({ values, abortSignal: deadline.signal })
      const inputTokens = usage?.tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0)
      return { vectors: checked(embeddings, texts.length), inputTokens }
    } catch (error) {
      signal.throwIfAborted()
      const failure = deadline.expired() ?? toModelError(error, endpoint.apiKey)
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
