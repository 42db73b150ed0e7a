import type { LanguageModel } from '@lyceum/contract/channels'
import type { Endpoint } from './endpoint.ts'

/** How one model must be called. */
export interface ModelTraits {
  api: 'chat' | 'responses'
  /** False: it answers in one piece only. */
  streams: boolean
  /** Where instructions go; 'none' puts them into the user's turn. */
  systemRole: 'system' | 'developer' | 'none'
  allowSampling: boolean
  /** Thinks before its first word: waits longer, and counts its limit in `max_completion_tokens`. */
  isReasoning: boolean
  /** Searches the web with every answer and cannot be kept from it. */
  alwaysSearches: boolean
}

export interface ModelPlan extends ModelTraits {
  model: string
  note: string | null
  reasoningMode: 'pro' | null
  webSearch: boolean
}

export type ModelMap = Readonly<Record<string, string>>

const plain: ModelTraits = {
  api: 'chat',
  streams: true,
  systemRole: 'system',
  allowSampling: true,
  isReasoning: false,
  alwaysSearches: false,
}
const reasoning: ModelTraits = { ...plain, systemRole: 'developer', allowSampling: false, isReasoning: true }

/** The first pattern that fits decides; anything else (a local model) is plain. */
const families: readonly (readonly [RegExp, ModelTraits])[] = [
  [/^(?:o\d|gpt-[5-9][\d.]*)-pro\b/, { ...reasoning, api: 'responses', streams: false }],
  [/^o1-(?:mini|preview)\b/, { ...reasoning, systemRole: 'none' }],
  [/^gpt-4o(?:-mini)?-search-preview\b/, { ...plain, allowSampling: false, alwaysSearches: true }],
  [/^gpt-[5-9][\d.]*-chat\b/, plain],
  [/^(?:o\d|gpt-[5-9])/, reasoning],
]

export function traitsOf(model: string): ModelTraits {
  return families.find(([pattern]) => pattern.test(model))?.[1] ?? plain
}

interface LabelFacts {
  /** The first day on which the provider no longer serves it. */
  ends: string
  successor: string
  wants?: 'pro-reasoning' | 'web-search'
}

/** Days and successors as OpenAI announced them, where it did; the last two successors are our choice. */
const labels: Record<LanguageModel, LabelFacts> = {
  'gpt-4o': { ends: '2027-01-14', successor: 'gpt-6-luna' },
  'gpt-4o-mini': { ends: '2027-01-14', successor: 'gpt-6-luna' },
  o1: { ends: '2026-10-23', successor: 'gpt-5.6-sol' },
  'o1-pro': { ends: '2026-10-23', successor: 'gpt-5.6-sol', wants: 'pro-reasoning' },
  'o3-mini': { ends: '2026-10-23', successor: 'gpt-5.6-sol' },
  'o1-mini': { ends: '2025-10-27', successor: 'gpt-6-luna' },
  'gpt-4o-mini-search-preview': { ends: '2026-07-23', successor: 'gpt-6-luna', wants: 'web-search' },
}

function choose(label: LanguageModel, map: ModelMap, now: number): { model: string; note: string | null } {
  const mapped = map[label] ?? map['*']
  if (mapped) {
    return { model: mapped, note: mapped === label ? null : `Answered by ${mapped}, as the model map says.` }
  }
  const { ends, successor } = labels[label]
  if (now < Date.parse(ends)) return { model: label, note: null }
  return { model: successor, note: `Retired by the provider on ${ends}; answered by ${successor}.` }
}

/** What answers for a label at this endpoint now, and how it has to be asked. */
export function planFor(label: LanguageModel, kind: Endpoint['kind'], map: ModelMap, now: number): ModelPlan {
  const { model, note } = choose(label, map, now)
  const traits = traitsOf(model)
  const { wants } = labels[label]
  const missing: string[] = []
  if (kind === 'compatible') {
    if (wants === 'web-search' && !traits.alwaysSearches) missing.push('This endpoint offers no web search.')
    if (wants === 'pro-reasoning' && model !== label) missing.push('This endpoint offers no pro reasoning.')
    const words = [note, ...missing].filter((part) => part !== null)
    return {
      ...traits,
      api: 'chat',
      model,
      note: words.length > 0 ? words.join(' ') : null,
      reasoningMode: null,
      webSearch: false,
    }
  }
  const isPro = wants === 'pro-reasoning' && /^gpt-[5-9]/.test(model) && traits.isReasoning
  return {
    ...traits,
    ...(isPro ? { api: 'responses', streams: false } : {}),
    model,
    note,
    reasoningMode: isPro ? 'pro' : null,
    webSearch: wants === 'web-search' && !traits.alwaysSearches,
  }
}
