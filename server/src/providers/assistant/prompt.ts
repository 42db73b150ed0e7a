import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelTraits } from './model-plan.ts'
import type { Turn } from './port.ts'

/** Some models accept no system role, so their instructions are prepended to the user's first turn. */
function prependInstructions(turns: readonly Turn[]): Turn[] {
  const instructions = turns.filter(({ role }) => role === 'system').map(({ content }) => content)
  const rest = turns.filter(({ role }) => role !== 'system')
  if (instructions.length === 0) return rest
  const first = rest.findIndex(({ role }) => role === 'user')
  const instructionText = instructions.join('\n\n')
  if (first < 0) return [...rest, { role: 'user', content: instructionText }]
  return rest.map((turn, index) =>
    index === first ? { ...turn, content: `${instructionText}\n\n${turn.content}` } : turn,
  )
}

export function toPrompt(
  turns: readonly Turn[],
  systemRole: ModelTraits['systemRole'],
): LanguageModelV4Prompt {
  const promptTurns = systemRole === 'none' ? prependInstructions(turns) : turns
  return promptTurns.map(({ role, content }) =>
    role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
  )
}
