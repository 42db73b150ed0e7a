import * as z from 'zod'
import { type CircuitBreaker, isTextRefusal, isTimeout } from './circuit-breaker.ts'
import { startDeadline, type Timeouts } from './deadline.ts'
import { toModelError } from './model-errors.ts'
import { ModelError, type Reranker } from './port.ts'
import type { Report } from './report.ts'
import type { Transport } from './transport.ts'

const maxJsonBytes = 1024 * 1024
/** In characters. Most of these models read about 500 tokens. */
const maxTextLength = 2000

/** Where passages are ranked again. */
export interface RerankingConnection {
  /** The full address, such as http://localhost:8080/v1/rerank. */
  url: string
  /** Empty: none. */
  apiKey: string
  /** Empty if the server has only one. */
  model: string
}

export interface RerankerOptions {
  connection: RerankingConnection
  transport: Transport
  timeouts: Timeouts
  breaker: CircuitBreaker
  report: Report
}

/** Jina, Cohere, llama.cpp, Infinity and vLLM call the texts documents. Text Embeddings Inference (TEI) does not. */
type Format = 'documents' | 'texts'

function createBody(format: Format, model: string, query: string, texts: readonly string[]): object {
  return format === 'texts'
    ? { query, texts, raw_scores: false, truncate: true }
    : {
        ...(model === '' ? {} : { model }),
        query,
        documents: texts,
        top_n: texts.length,
        return_documents: false,
      }
}

const index = z.int().gte(0)
const list = z.array(
  z.union([
    z.object({ index, relevance_score: z.number() }),
    z.object({ index, score: z.number() }).transform((ranked) => ({
      index: ranked.index,
      relevance_score: ranked.score,
    })),
  ]),
)
const answer = z.union([list, z.object({ results: list }).transform(({ results }) => results)])

/** The score of each text. An incomplete or contradictory ranking is none. */
function readScores(body: unknown, expected: number): number[] {
  const parsed = answer.safeParse(body)
  if (!parsed.success) throw new ModelError('assistant.unavailable', 'the answer contains no valid ranking')
  const scores = new Map(parsed.data.map((ranked) => [ranked.index, ranked.relevance_score]))
  const found = Array.from({ length: expected }, (_, at) => scores.get(at))
  if (parsed.data.length !== expected || found.includes(undefined))
    throw new ModelError(
      'assistant.unavailable',
      `received ${parsed.data.length} results for ${expected} texts, or wrong indexes`,
    )
  return found.map((score) => score ?? 0)
}

/** Creates a reranker that sends all texts in one request, without a second attempt. */
export function createReranker({
  connection: { url, apiKey, model },
  transport,
  timeouts,
  breaker,
  report,
}: RerankerOptions): Reranker {
  const name = model === '' ? 'The reranker' : model
  let format: Format = /\/v\d+\/[^/]+$/.test(new URL(url).pathname) ? 'documents' : 'texts'

  async function request(body: object, signal: AbortSignal): Promise<unknown> {
    const deadline = startDeadline(timeouts, false, signal)
    transport.register({
      deadline,
      expects: 'json',
      maxJsonBytes,
      bufferedJson: null,
      isTriedOnce: true,
      onRetry: () => undefined,
    })
    try {
      const response = await transport.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        signal: deadline.signal,
      })
      return await response.json()
    } catch (error) {
      signal.throwIfAborted()
      throw deadline.getTimeoutError() ?? toModelError(error, apiKey || null)
    } finally {
      deadline.end()
    }
  }

  /** A server that does not know one format is asked in the other one from then on. */
  async function requestScores(question: string, texts: readonly string[], signal: AbortSignal) {
    try {
      return readScores(await request(createBody(format, model, question, texts), signal), texts.length)
    } catch (error) {
      if (!isTextRefusal(error)) throw error
      const other = format === 'texts' ? 'documents' : 'texts'
      const body = await request(createBody(other, model, question, texts), signal).catch(() => {
        throw error
      })
      format = other
      return readScores(body, texts.length)
    }
  }

  async function requestReported(question: string, texts: readonly string[], signal: AbortSignal) {
    try {
      const scores = await requestScores(question, texts, signal)
      report.success(name)
      return scores
    } catch (error) {
      if (error instanceof ModelError) report.failure(name, error)
      else if (isTimeout(signal.reason))
        report.failure(name, new ModelError('assistant.timeout', 'no answer within the time limit'))
      throw error
    }
  }

  return {
    name,
    get pausedUntil() {
      return breaker.pausedUntil
    },
    resume: breaker.resume,
    async rerank(question, texts, signal) {
      signal.throwIfAborted()
      const shortened = texts.map((text) => text.slice(0, maxTextLength).toWellFormed())
      return breaker.run(() => requestReported(question, shortened, signal), signal)
    },
  }
}
