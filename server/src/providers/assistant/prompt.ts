import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelTraits } from './model-plan.ts'
import type { Turn } from './port.ts'

/** Some models accept no system role, so instructions are prepended to the user's first turn. */
function withoutSystemTurns(turns: readonly Turn[]): Turn[] {
  const instructions = turns.filter(({ role }) => role === 'system').map(({ content }) => content)
  const rest = turns.filter(({ role }) => role !== 'system')
  if (instructions.length === 0) return rest
  const first = rest.findIndex(({ role }) => role === 'user')
  const opening = instructions.join('\n\n')
  if (first < 0) return [...rest, { role: 'user', content: opening }]
  return rest.map((turn, index) =>
    index === first ? { ...turn, content: `${opening}\n\n${turn.content}` } : turn,
  )
}

export function toPrompt(
  turns: readonly Turn[],
  systemRole: ModelTraits['systemRole'],
): LanguageModelV4Prompt {
  const kept = systemRole === 'none' ? withoutSystemTurns(turns) : turns
  return kept.map(({ role, content }) =>
    role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
  )
}
