import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { requireAdministeredChannel, requireLockedChannel } from './access.ts'
import { type ChannelRow, updateChannel } from './store.ts'

const changeQuestions = 'change its starter questions'

export function parseStarterQuestions({
  starter_questions,
}: Pick<ChannelRow, 'starter_questions'>): string[] {
  return starter_questions === null ? [] : (JSON.parse(starter_questions) as string[])
}

export function toStarterColumn(questions: readonly string[]): string | null {
  return questions.length === 0 ? null : JSON.stringify(questions)
}

/** For administrators of a channel who cannot edit its other settings. */
export function setStarterQuestions(deps: Deps, actor: Actor, channelId: string, questions: string[]) {
  return deps.db.transaction().execute(async (tx) => {
    await requireAdministeredChannel(tx, actor, channelId, changeQuestions)
    const before = await requireLockedChannel(tx, channelId)
    // Again under the lock, because the role may have been taken away meanwhile.
    await requireAdministeredChannel(tx, actor, channelId, changeQuestions)
    const changes = findChanges(
      { starterQuestions: parseStarterQuestions(before) },
      { starterQuestions: questions },
    )
    if (changes) {
      await updateChannel(tx, channelId, {
        starter_questions: toStarterColumn(questions),
        updated_at: deps.now(),
      })
      await audit(deps, tx, {
        actor,
        action: 'channel.changed',
        object: { type: 'channel', id: channelId, name: before.name },
        ...changes,
      })
    }
    return { message: `The starter questions of “${before.name}” were saved` }
  })
}
