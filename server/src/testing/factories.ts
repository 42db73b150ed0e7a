import type { ChannelInput } from '@lyceum/contract/channels'
import type { Permissions } from '@lyceum/contract/permissions'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../deps.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { startSession } from '../features/auth/sessions.ts'
import { insertUser } from '../features/auth/store.ts'
import { insertChannel, insertMember } from '../features/channels/store.ts'

export const testPassword = 'correct horse battery'

let hashPromise: Promise<string> | undefined
function testPasswordHash(): Promise<string> {
  hashPromise ??= hashPassword(testPassword)
  return hashPromise
}

export interface TestUser {
  id: string
  email: string
  name: string
  token: string
}

interface TestUserOptions {
  name?: string
  email?: string
  role?: 'admin' | 'user'
  isSystemAdmin?: boolean
  /** Changes to an administrator's default permissions. */
  permissions?: Partial<Permissions>
  /** Off by default. */
  twoFactor?: boolean
  /** Ids of the channels the user is a member of. */
  channels?: readonly string[]
}

/** Creates a user who is signed in. */
export async function createUser(deps: Deps, options: TestUserOptions = {}): Promise<TestUser> {
  const id = uuidv7()
  const name = options.name ?? `User ${id.slice(-6)}`
  const row = await insertUser(deps.db, {
    id,
    email: options.email ?? `${id}@example.org`,
    name,
    role: options.role ?? 'user',
    is_system_admin: options.isSystemAdmin ? 1 : 0,
    permission_overrides: options.permissions ? JSON.stringify(options.permissions) : null,
    password_hash: await testPasswordHash(),
    two_factor_enabled: options.twoFactor ? 1 : 0,
    created_at: deps.now(),
  })
  for (const channelId of options.channels ?? []) await insertMember(deps.db, channelId, id, deps.now())
  const { token } = await startSession(
    deps,
    row,
    { ip: '127.0.0.1', userAgent: 'test' },
    { method: 'password', browserId: null },
  )
  return { id, email: row.email, name, token }
}

export function createAdmin(deps: Deps, options: Omit<TestUserOptions, 'role'> = {}): Promise<TestUser> {
  return createUser(deps, { ...options, role: 'admin' })
}

/** Creates a custom channel without members. */
export async function createTestChannel(deps: Deps, changes: Partial<ChannelInput> = {}): Promise<string> {
  const id = uuidv7()
  await insertChannel(deps.db, {
    id,
    name: changes.name ?? `Channel ${id.slice(-6)}`,
    description: changes.description ?? 'Created by a test',
    avatar: null,
    wallpaper_file: null,
    system_prompt: changes.systemPrompt ?? '',
    llm_model: changes.useAssistant ? '' : (changes.llmModel ?? 'gpt-4o'),
    strict_documents_only: changes.strictDocumentsOnly ? 1 : 0,
    allow_proposals: changes.allowProposals ? 1 : 0,
    allow_attachments: changes.allowAttachments === false ? 0 : 1,
    use_assistant: changes.useAssistant ? 1 : 0,
    assistant_id: changes.openaiAssistantId ?? '',
    created_at: deps.now(),
    updated_at: deps.now(),
  })
  return id
}
