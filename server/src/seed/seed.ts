import { DatabaseInUse, lockDatabase } from '#db/database-lock.ts'
import type { Env } from '../env.ts'
import { hasUsers } from '../features/auth/sign-in.ts'
import { stopReplies } from '../features/chats/replies/reply-manager.ts'
import { DataFolderInUse, lockDataFolder } from '../files/data-folder.ts'
import { openDeps } from '../start.ts'
import { addAssistants } from './assistants.ts'
import { addChannels } from './channels.ts'
import { addChats } from './chats.ts'
import { createSeedClock } from './clock.ts'
import { addDocuments } from './documents.ts'
import { addGroups } from './groups.ts'
import { addInvitations } from './invitations.ts'
import { addTestQuestions } from './test-questions.ts'
import { addUsage } from './usage.ts'
import { addUsers, type SeededUsers, seedPassword } from './users.ts'

function print(text: string): void {
  void process.stdout.write(`${text}\n`)
}
function printError(text: string): 1 {
  process.stderr.write(`${text}\n`)
  return 1
}

function printUsers(users: SeededUsers, links: { open: string; expired: string }): void {
  print(
    `All users have the password “${seedPassword}”. It is public, so use this installation for development only.`,
  )
  print(`  ${users.owner.email}  system administrator`)
  print(`  ${users.admin.email}  administrator without permissions for users and settings`)
  for (const { email, name } of Object.values(users.members)) print(`  ${email}  ${name}`)
  print(`Open invitation: ${links.open}`)
  print(`Expired invitation: ${links.expired}`)
}

async function seedDatabase(env: Env): Promise<0 | 1> {
  const clock = createSeedClock()
  const { deps, close } = await openDeps(env, clock.now)
  try {
    if (await hasUsers(deps.db))
      return printError(
        'This installation already has users. Seeding needs an empty one: set DATA_DIR to another folder.',
      )
    const users = await addUsers(deps)
    await addAssistants(deps, users.owner)
    const channels = await addChannels(deps, users)
    await addGroups(deps, users, channels)
    clock.advance({ days: 3 })
    await addDocuments(deps, users, channels)
    await addTestQuestions(deps, users.owner, channels.policies)
    await addChats(deps, clock, users, channels)
    clock.catchUp()
    await addUsage(deps, users, channels)
    const links = await addInvitations(deps, users.owner.userId, [channels.policies, channels.welcome])
    printUsers(users, links)
    return 0
  } finally {
    await stopReplies(deps)
    await close()
  }
}

async function seedLocked(env: Env): Promise<0 | 1> {
  const lock = await lockDatabase(env.DATABASE_DIRECT_URL)
  try {
    return await seedDatabase(env)
  } finally {
    await lock.release()
  }
}

/**
 * Fills an empty installation with sample users, groups, channels, documents and chats. It never calls a model, even if one is
 * configured, so seeding costs nothing and always gives the same result.
 */
export async function seed(env: Env): Promise<0 | 1> {
  try {
    const folderLock = lockDataFolder(env.DATA_DIR)
    try {
      return await seedLocked({
        ...env,
        OPENAI_API_KEY: undefined,
        OPENAI_BASE_URL: undefined,
        PASSWORD_MIN_LENGTH: 8,
        LOG_LEVEL: 'silent',
      })
    } finally {
      folderLock.release()
    }
  } catch (error) {
    if (error instanceof DataFolderInUse || error instanceof DatabaseInUse) return printError(error.message)
    throw error
  }
}
