import { starterMaxCount } from '@lyceum/contract/channels'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { findLastingProblems } from '../../assistants/setup-problem.ts'
import { requireMember } from '../../channels/access.ts'
import { parseStarterQuestions } from '../../channels/starter-questions.ts'
import { listOutlines } from '../../documents/retrieval/outlines.ts'
import { requireEmbeddedChannel } from '../../embedding/sign-ins.ts'
import { suggestQuestions } from './suggest-questions.ts'

/** The questions that administrators set, otherwise questions about the headings of the channel's documents. */
async function listQuestions(
  { db }: Deps,
  channelId: string,
  channel: { starter_questions: string | null; use_assistant: number },
): Promise<string[]> {
  const set = parseStarterQuestions(channel)
  if (set.length > 0 || channel.use_assistant) return set
  return suggestQuestions(await listOutlines(db, channelId), starterMaxCount)
}

export async function getStarters(deps: Deps, actor: Actor, channelId: string) {
  const channel = await requireMember(deps.db, actor, channelId)
  return { questions: await listQuestions(deps, channelId, channel) }
}

/** For everyone, because everyone can begin as a visitor and read them then. Members must sign in first. */
export async function getVisitorStarters(deps: Deps, channelId: string) {
  const channel = await requireEmbeddedChannel(deps.db, channelId)
  const canStart = channel.allowsVisitors && !(await findLastingProblems(deps, [channelId])).has(channelId)
  return { questions: canStart ? await listQuestions(deps, channelId, channel) : [] }
}
