import type { LanguageModel } from '@lyceum/contract/channels'
import type { Endpoint } from './endpoint.ts'

/** How one model must be called. */
export interface ModelTraits {
  api: 'chat' | 'responses'
  /** Whether the model can stream. */
  canStream: boolean
  /** The role for instructions; 'none' prepends them to the user's first turn. */
  systemRole: 'system' | 'developer' | 'none'
  allowSampling: boolean
  /** Reasons before its first output, so it gets a longer timeout and uses `max_completion_tokens`. */
  isReasoning: boolean
  /** Searches the web for every answer; this cannot be turned off. */
  alwaysSearches: boolean
}

export interface ModelPlan extends ModelTraits {
  model: string
  note: string | null
  reasoningMode: 'pro' | null
  webSearch: boolean
}

export type ModelMap = Readonly<Record<string, string>>

const plainTraits: ModelTraits = {
  api: 'chat',
  canStream: true,
  systemRole: 'system',
  allowSampling: true,
  isReasoning: false,
  alwaysSearches: false,
}
const reasoningTraits: ModelTraits = {
  ...plainTraits,
  systemRole: 'developer',
  allowSampling: false,
  isReasoning: true,
}

/**
 * Models that take pictures, matched in lower case and without the name of a vendor before a slash. The names of local
 * models vary in their punctuation.
 */
const pictureFamilies: readonly RegExp[] = [
  /^(?:chatgpt-)?gpt-(?:4o|4\.1|4\.5|4-turbo|[5-9])(?!.*(?:search-preview|audio|transcribe|tts|codex))/,
  /^o1(?!-(?:mini|preview))/,
  /^o3(?!-mini)/,
  /^o[4-9]/,
  /^claude-(?:3|[a-z]+-\d)/,
  /^gemini-/,
  /^gemma-?(?:3(?!.*\b(?:270m|1b)\b)|4)/,
  /^llama-?(?:4|3\.2.*vision)/,
  /^(?:pixtral|mistral-(?:small|medium)-?3|moondream|minicpm-v|internvl|(?:bak)?llava)/,
  /^q(?:wen|vq)[\d.]*-?v/,
  /(?:^|[-_.\d])(?:vision|vl|multimodal)(?:[-_.:\d]|$)/,
]

/** Whether a model takes pictures. Patterns of the administrator, where `*` matches anything, replace the known ones. */
export function takesPictures(model: string, patterns: readonly string[] | undefined): boolean {
  if (patterns === undefined) {
    const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1)
    return pictureFamilies.some((family) => family.test(name))
  }
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`, 'i').test(model)
  })
}

/** The first matching pattern decides. Other models, such as local ones, are plain. */
const families: readonly (readonly [RegExp, ModelTraits])[] = [
  [/^(?:o\d|gpt-[5-9][\d.]*)-pro\b/, { ...reasoningTraits, api: 'responses', canStream: false }],
  [/^o1-(?:mini|preview)\b/, { ...reasoningTraits, systemRole: 'none' }],
  [/^gpt-4o(?:-mini)?-search-preview\b/, { ...plainTraits, allowSampling: false, alwaysSearches: true }],
  [/^gpt-[5-9][\d.]*-chat\b/, plainTraits],
  [/^(?:o\d|gpt-[5-9])/, reasoningTraits],
]

export function getTraits(model: string): ModelTraits {
  return families.find(([pattern]) => pattern.test(model))?.[1] ?? plainTraits
}

interface LabelInfo {
  /** The first day on which the provider no longer serves the model. */
  retiredOn: string
  successor: string
  feature?: 'pro-reasoning' | 'web-search'
}

/** Dates and successors announced by OpenAI. The successors of the last two labels are our choice. */
const labels: Record<LanguageModel, LabelInfo> = {
  'gpt-4o': { retiredOn: '2027-01-14', successor: 'gpt-6-luna' },
  'gpt-4o-mini': { retiredOn: '2027-01-14', successor: 'gpt-6-luna' },
  o1: { retiredOn: '2026-10-23', successor: 'gpt-5.6-sol' },
  'o1-pro': { retiredOn: '2026-10-23', successor: 'gpt-5.6-sol', feature: 'pro-reasoning' },
  'o3-mini': { retiredOn: '2026-10-23', successor: 'gpt-5.6-sol' },
  'o1-mini': { retiredOn: '2025-10-27', successor: 'gpt-6-luna' },
  'gpt-4o-mini-search-preview': { retiredOn: '2026-07-23', successor: 'gpt-6-luna', feature: 'web-search' },
}

function chooseModel(
  label: LanguageModel,
  map: ModelMap,
  now: number,
): { model: string; note: string | null } {
  const mapped = map[label] ?? map['*']
  if (mapped) {
    return { model: mapped, note: mapped === label ? null : `Replies for ${label} come from ${mapped}.` }
  }
  const { retiredOn, successor } = labels[label]
  if (now < Date.parse(retiredOn)) return { model: label, note: null }
  const date = new Date(retiredOn).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  return { model: successor, note: `${label} was retired on ${date}. Replies come from ${successor}.` }
}

/** Chooses the model that answers for a label at this endpoint now and how to call it. */
export function createModelPlan(
  label: LanguageModel,
  kind: Endpoint['kind'],
  map: ModelMap,
  now: number,
): ModelPlan {
  const { model, note } = chooseModel(label, map, now)
  const traits = getTraits(model)
  const { feature } = labels[label]
  const missing: string[] = []
  if (kind === 'compatible') {
    if (feature === 'web-search' && !traits.alwaysSearches) missing.push('This server offers no web search.')
    if (feature === 'pro-reasoning' && model !== label) missing.push('This server offers no pro reasoning.')
    const notes = [note, ...missing].filter((part) => part !== null)
    return {
      ...traits,
      api: 'chat',
      model,
      note: notes.length > 0 ? notes.join(' ') : null,
      reasoningMode: null,
      webSearch: false,
    }
  }
  const isPro = feature === 'pro-reasoning' && /^gpt-[5-9]/.test(model) && traits.isReasoning
  return {
    ...traits,
    ...(isPro ? { api: 'responses', canStream: false } : {}),
    model,
    note,
    reasoningMode: isPro ? 'pro' : null,
    webSearch: feature === 'web-search' && !traits.alwaysSearches,
  }
}
