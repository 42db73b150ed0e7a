import { password, userName } from '@lyceum/contract/auth'
import { email } from '@lyceum/contract/wire'
import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import { audit, commandLineClient, userObject } from '../features/audit/append.ts'
import { checkPasswordChoice } from '../features/auth/password-choice.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { hasUsers } from '../features/auth/sign-in.ts'
import { findUserByEmail, insertUser } from '../features/auth/store.ts'
import { deleteSetupInvitations } from '../features/invitations/store.ts'
import type { BaseDeps } from '../start.ts'
import { askPassword } from './ask-password.ts'
import { type Command, CommandError, requireNoPositionals } from './command.ts'
import { formatUser, readValue } from './user.ts'
import { withDatabase } from './with-database.ts'

interface NewAdmin {
  email: string
  name: string
  isSystemAdmin: boolean
  isBreakGlass: boolean
}

const emailTaken =
  'A user with this email address already exists. To make them an administrator, run npx lyceum admin promote.'

/** Returns whether the new user is a system administrator. The first user always is. */
function insertAdmin(
  { db, env, now }: BaseDeps,
  { email, name, isSystemAdmin, isBreakGlass }: NewAdmin,
  passwordHash: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (await findUserByEmail(tx, email)) throw new CommandError(emailTaken)
    const isFirst = !(await hasUsers(tx))
    const id = uuidv7()
    await insertUser(tx, {
      id,
      email,
      name,
      role: 'admin',
      is_system_admin: isFirst || isSystemAdmin ? 1 : 0,
      permission_overrides: null,
      password_hash: passwordHash,
      two_factor_days: null,
      // As with the setup link: the first user must be able to sign in without a mail server.
      two_factor_enabled: isFirst && !env.SMTP_URL ? 0 : null,
      last_seen_at: null,
      deleted_at: null,
      is_break_glass: isBreakGlass ? 1 : 0,
      created_at: now(),
    })
    await deleteSetupInvitations(tx)
    await audit({ now }, tx, {
      actor: null,
      client: commandLineClient,
      action: 'user.created',
      object: userObject({ id, name }),
      after: {
        email,
        role: 'admin',
        isSystemAdmin: isFirst || isSystemAdmin,
        ...(isBreakGlass ? { isBreakGlass } : {}),
      },
    })
    return isFirst || isSystemAdmin
  })
}

async function choosePassword(deps: BaseDeps, admin: NewAdmin): Promise<string> {
  const chosen = z.safeParse(password, await askPassword())
  if (!chosen.success) throw new CommandError(chosen.error.issues[0]?.message)
  await checkPasswordChoice(deps, chosen.data, admin)
  return hashPassword(chosen.data)
}

async function create(deps: BaseDeps, admin: NewAdmin): Promise<void> {
  // Check before asking for the password. `insertAdmin` checks again in its transaction.
  if (await findUserByEmail(deps.db, admin.email)) throw new CommandError(emailTaken)
  const isSystemAdmin = await insertAdmin(deps, admin, await choosePassword(deps, admin))
  console.log(`${formatUser(admin)} is now ${isSystemAdmin ? 'a system administrator' : 'an administrator'}.`)
}

export const adminCreateCommand: Command = {
  name: 'admin create',
  synopsis: '--email <email> --name <name> [--system | --break-glass]',
  summary: 'create an administrator; the first user becomes a system administrator',
  details: [
    'At a terminal, asks for the password twice. Otherwise reads it from the first line of standard input.',
    '--system        create a system administrator, who has all permissions and can change those of other administrators',
    '--break-glass   create a system administrator who can sign in with the password even when that is switched off',
  ],
  options: ['email', 'name'],
  flags: ['system', 'break-glass'],
  async run(args) {
    requireNoPositionals(args)
    const admin = {
      email: readValue('--email', email, args.options['email']),
      name: readValue('--name', userName('Name is required'), args.options['name']),
      isSystemAdmin: args.flags.has('system') || args.flags.has('break-glass'),
      isBreakGlass: args.flags.has('break-glass'),
    }
    await withDatabase((deps) => create(deps, admin))
    return 0
  },
}
