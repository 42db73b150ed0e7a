import { DatabaseInUse, lockDatabase } from '#db/database-lock.ts'
import type { Env } from '../env.ts'
import { hasUsers } from '../features/auth/auth.ts'
import { stopReplies } from '../features/chats/replies/reply-manager.ts'
import { DataFolderInUse, lockDataFolder } from '../files/data-folder.ts'
import { openDeps } from '../start.ts'
import { addAssistants } from './assistants.ts'
import { addChannels } from './channels.ts'
import { addChats } from './chats.ts'
import { createSeedClock } from './clock.ts'
import { addDocuments } from './documents.ts'
import { addInvitations } from './invitations.ts'
import { addPeople, type People, seedPassword } from './people.ts'
import { addTestQuestions } from './test-questions.ts'
import { addUsage } from './usage.ts'

function say(text: string): void {
  void process.stdout.write(`${text}\n`)
}
function complain(text: string): 1 {
  process.stderr.write(`${text}\n`)
  return 1
}

function tellWhoIsWho(people: People, links: { open: string; expired: string }): void {
  say(`Everybody's password is “${seedPassword}”. It is public: use this installation for development only.`)
  say(`  ${people.owner.email}  system administrator`)
  say(`  ${people.admin.email}  administrator without people and settings`)
  for (const { email, name } of Object.values(people.members)) say(`  ${email}  ${name}`)
  say(`Open invitation: ${links.open}`)
  say(`Expired invitation: ${links.expired}`)
}

async function fill(env: Env): Promise<0 | 1> {
  const clock = createSeedClock()
  const { deps, close } = await openDeps(env, clock.now)
  try {
    if (await hasUsers(deps.db))
      return complain(
        'This installation has people already, and only an empty one is filled: set DATA_DIR to another folder.',
      )
    const people = await addPeople(deps)
    await addAssistants(deps, people.owner)
    const channels = await addChannels(deps, people)
    clock.pass({ days: 3 })
    await addDocuments(deps, people, channels)
    await addTestQuestions(deps, people.owner, channels.policies)
    await addChats(deps, clock, people, channels)
    clock.catchUp()
    await addUsage(deps, people, channels)
    const links = await addInvitations(deps, people.owner.userId, [channels.policies, channels.welcome])
    tellWhoIsWho(people, links)
    return 0
  } finally {
    await stopReplies(deps)
    await close()
  }
}

async function fillLocked(env: Env): Promise<0 | 1> {
  const lock = await lockDatabase(env.DATABASE_URL)
  try {
    return await fill(env)
  } finally {
    await lock.release()
  }
}

/**
 * Fills an empty installation with users, channels, documents and chats to try it with. No model is called, whatever is
 * configured, so seeding costs nothing and always gives the same result.
 */
export async function seed(env: Env): Promise<0 | 1> {
  try {
    const folder = lockDataFolder(env.DATA_DIR)
    try {
      return await fillLocked({
        ...env,
        OPENAI_API_KEY: undefined,
        OPENAI_BASE_URL: undefined,
        PASSWORD_MIN_LENGTH: 8,
        LOG_LEVEL: 'silent',
      })
    } finally {
      folder.release()
    }
  } catch (error) {
    if (error instanceof DataFolderInUse || error instanceof DatabaseInUse) return complain(error.message)
    throw error
  }
}
