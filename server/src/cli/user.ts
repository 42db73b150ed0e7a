import { email } from '@lyceum/contract/wire'
import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import { findUserByEmail, type UserRow } from '../features/auth/store.ts'
import { CommandError, UsageError } from './command.ts'

/** Validates a value with the same schema as the web forms. */
export function readValue<T>(label: string, schema: z.core.$ZodType<T>, value: string | undefined): T {
  if (value === undefined) throw new UsageError(`${label} is missing`)
  const parsed = z.safeParse(schema, value)
  if (!parsed.success) throw new UsageError(`${label}: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

export function readEmail(text: string): string {
  return readValue('The email address', email, text)
}

export async function requireUser(db: Executor, address: string): Promise<UserRow> {
  const user = await findUserByEmail(db, address)
  if (!user) throw new CommandError(`There is no user with the email address ${address}.`)
  return user
}

export function formatUser({ name, email }: Pick<UserRow, 'name' | 'email'>): string {
  return `${name} (${email})`
}
