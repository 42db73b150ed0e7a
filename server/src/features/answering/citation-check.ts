import { randomBytes } from 'node:crypto'
import type { LanguageModel } from '@lyceum/contract/channels'
import { askModel, type ModelCall } from '#providers/assistant/model-calls.ts'
import { type ChatModel, ModelError } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { buildCheckTurns, parseVerdicts, type Verdict } from './check-prompt.ts'
import type { Claim } from './citations.ts'
import type { PromptSource } from './prompt.ts'

/** In milliseconds. Sentences are held back while a model checks them. */
const checkTimeout = 5000
const maxRequests = 2
const maxClaimsPerRequest = 8
/** In characters. A longer reply is not one that we asked for. */
const maxReplyLength = 500

export interface CitationCheckOptions {
  chatModel: ChatModel
  label: LanguageModel
  channelId: string
  /** Numbered from 1; null for an unassigned number. */
  sources: readonly (PromptSource | null)[]
  signal: AbortSignal
  calls: ModelCall[]
  timeout?: number
}

/** Asks a model about a claim of a reply. Never throws. */
export type CitationCheck = (claim: Claim) => Promise<Verdict>

/**
 * Asks a model whether sources support the sentences that cite them. The first claim is asked about at once. Those that
 * come while two requests run are asked about together. After a failure no more is asked for this reply, so that an
 * endpoint that is down delays it only once.
 */
export function createCitationCheck(
  deps: Pick<Deps, 'log'>,
  { chatModel, label, channelId, sources, signal, calls, timeout = checkTimeout }: CitationCheckOptions,
): CitationCheck {
  const waiting: { claim: Claim; decide: (verdict: Verdict) => void }[] = []
  /** A model may cite the same sentence again and again. */
  const asked = new Map<string, Promise<Verdict>>()
  const failed = new AbortController()
  let running = 0

  async function ask(claims: readonly Claim[]): Promise<Verdict[]> {
    const request = {
      label,
      turns: buildCheckTurns(claims, sources, randomBytes(8).toString('hex')),
      allowWebSearch: false,
      reasoningEffort: 'low',
      signal: AbortSignal.any([signal, failed.signal, AbortSignal.timeout(timeout)]),
    } as const
    let reply = ''
    for await (const piece of askModel(chatModel, request, 'judge', calls)) {
      reply += piece
      if (reply.length > maxReplyLength) break
    }
    return parseVerdicts(reply, claims.length)
  }

  function handleFailure(error: unknown): void {
    if (failed.signal.aborted || signal.aborted) return
    failed.abort()
    // Without the error itself, which may quote the documents.
    const code = error instanceof ModelError ? error.code : 'assistant.timeout'
    deps.log.warn({ channelId, code }, 'a model could not check citations; only their words were compared')
  }

  async function runRequest(): Promise<void> {
    const batch = waiting.splice(0, maxClaimsPerRequest)
    if (batch.length === 0) return
    running += 1
    let verdicts: Verdict[] = []
    try {
      verdicts = await ask(batch.map(({ claim }) => claim))
      if (verdicts.includes('unchecked'))
        deps.log.warn(
          { channelId },
          'a model gave no clear verdict on citations; only their words were compared',
        )
    } catch (error) {
      handleFailure(error)
    }
    running -= 1
    for (const [at, { decide }] of batch.entries()) decide(verdicts[at] ?? 'unchecked')
    startRequests()
  }

  function startRequests(): void {
    if (failed.signal.aborted || signal.aborted)
      for (const { decide } of waiting.splice(0)) decide('unchecked')
    while (waiting.length > 0 && running < maxRequests) void runRequest()
  }

  return (claim) => {
    const key = JSON.stringify(claim)
    const known = asked.get(key)
    if (known !== undefined) return known
    const verdict = new Promise<Verdict>((decide) => {
      waiting.push({ claim, decide })
      // Claims that arrive together are asked about together.
      queueMicrotask(startRequests)
    })
    asked.set(key, verdict)
    return verdict
  }
}
