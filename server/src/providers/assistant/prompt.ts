import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelTraits } from './model-plan.ts'
import type { Turn } from './port.ts'

export interface PromptTurn extends Omit<Turn, 'pictures'> {
  /** The addresses of pictures, which the transport replaces with the pictures. */
  pictures?: readonly { url: URL; mimeType: string }[]
}

/** Some models accept no system role, so their instructions are prepended to the user's first turn. */
function prependInstructions(turns: readonly PromptTurn[]): PromptTurn[] {
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
  turns: readonly PromptTurn[],
  systemRole: ModelTraits['systemRole'],
): LanguageModelV4Prompt {
  const promptTurns = systemRole === 'none' ? prependInstructions(turns) : turns
  return promptTurns.map(({ role, content, pictures = [] }) => {
    const text = { type: 'text' as const, text: content }
    if (role === 'system') return { role, content }
    if (role === 'assistant') return { role, content: [text] }
    const files = pictures.map(({ url, mimeType }) => ({
      type: 'file' as const,
      mediaType: mimeType,
      data: { type: 'url' as const, url },
    }))
    return { role, content: [text, ...files] }
  })
}
