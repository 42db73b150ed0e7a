import { starterMaxCount } from '@lyceum/contract/channels'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { requireMember } from '../../channels/access.ts'
import { parseStarterQuestions } from '../../channels/starter-questions.ts'
import { listOutlines } from '../../documents/retrieval/outlines.ts'
import { suggestQuestions } from './suggest-questions.ts'

/** The questions that administrators set, otherwise questions about the headings of the channel's documents. */
export async function getStarters(deps: Deps, actor: Actor, channelId: string) {
  const channel = await requireMember(deps.db, actor, channelId)
  const set = parseStarterQuestions(channel)
  if (set.length > 0 || channel.use_assistant) return { questions: set }
  return { questions: suggestQuestions(await listOutlines(deps.db, channelId), starterMaxCount) }
}
