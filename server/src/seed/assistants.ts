import type { Actor } from '../actor.ts'
import type { Deps } from '../deps.ts'
import { createPreset } from '../features/assistants/presets.ts'

/** The id of the assistant that answers in the welcome channel. */
export const welcomeGuideId = 'asst_welcome_guide'

export async function addAssistants(deps: Deps, owner: Actor): Promise<void> {
  await createPreset(deps, owner, {
    assistantId: welcomeGuideId,
    name: 'Welcome guide',
    description: 'Takes new colleagues through their first week.',
    instructions: [
      'You welcome people who have just joined. Answer in a few friendly sentences.',
      'Ask which day of their first week it is when that matters, and end with the next small step.',
      'Send questions about pay and contracts to the people team instead of answering them.',
    ].join('\n'),
    model: 'gpt-4o-mini',
    options: { maxOutputTokens: 600 },
  })
}
