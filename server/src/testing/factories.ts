import type { ChannelInput } from '@lyceum/contract/channels'
import type { Permissions } from '@lyceum/contract/permissions'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../deps.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { startSession } from '../features/auth/sessions.ts'
import { insertUser, type UserRow } from '../features/auth/store.ts'
import { insertChannel, insertMember } from '../features/channels/store.ts'

export const testPassword = 'correct horse battery'

let hashed: Promise<string> | undefined
function testPasswordHash(): Promise<string> {
  hashed ??= hashPassword(testPassword)
  return hashed
}

export interface Person {
  id: string
  email: string
  name: string
  token: string
}

interface PersonOptions {
  name?: string
  email?: string
  role?: 'admin' | 'user'
  isSystemAdmin?: boolean
  /** Changes to an administrator's default flags. */
  permissions?: Partial<Permissions>
  /** Whether a sign-in asks for a code; off unless said. */
  secondFactor?: boolean
  /** Channels the person is a member of. */
  channels?: readonly string[]
}

/** A person who is signed in. */
export async function createPerson(deps: Deps, options: PersonOptions = {}): Promise<Person> {
  const id = uuidv7()
  const name = options.name ?? `Person ${id.slice(-6)}`
  const row: UserRow = {
    id,
    email: options.email ?? `${id}@example.org`,
    name,
    role: options.role ?? 'user',
    is_system_admin: options.isSystemAdmin ? 1 : 0,
    permission_overrides: options.permissions ? JSON.stringify(options.permissions) : null,
    password_hash: await testPasswordHash(),
    two_factor_days: null,
    two_factor_enabled: options.secondFactor ? 1 : 0,
    two_factor_epoch: 0,
    must_verify: 0,
    last_seen_at: null,
    deleted_at: null,
    created_at: deps.now(),
  }
  await insertUser(deps.db, row)
  for (const channelId of options.channels ?? []) await insertMember(deps.db, channelId, id, deps.now())
  const { token } = await startSession(
    deps,
    row,
    { ip: '127.0.0.1', userAgent: 'test' },
    { method: 'password', browserId: null },
  )
  return { id, email: row.email, name, token }
}

export function createAdmin(deps: Deps, options: Omit<PersonOptions, 'role'> = {}): Promise<Person> {
  return createPerson(deps, { ...options, role: 'admin' })
}

/** A custom channel without members. */
export async function createTestChannel(deps: Deps, changes: Partial<ChannelInput> = {}): Promise<string> {
  const id = uuidv7()
  await insertChannel(deps.db, {
    id,
    name: changes.name ?? `Channel ${id.slice(-6)}`,
    description: changes.description ?? 'Made by a test',
    avatar: null,
    wallpaper_file: null,
    system_prompt: changes.systemPrompt ?? '',
    llm_model: changes.useAssistant ? '' : (changes.llmModel ?? 'gpt-4o'),
    strict_documents_only: changes.strictDocumentsOnly ? 1 : 0,
    allow_proposals: changes.allowProposals ? 1 : 0,
    use_assistant: changes.useAssistant ? 1 : 0,
    assistant_id: changes.openaiAssistantId ?? '',
    created_at: deps.now(),
    updated_at: deps.now(),
  })
  return id
}
