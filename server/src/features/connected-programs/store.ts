import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type CodeRow = Selectable<Database['oauth_codes']>
export type ProgramRow = Selectable<Database['connected_programs']>

export async function insertCode(tx: Tx, code: Insertable<Database['oauth_codes']>): Promise<void> {
  await tx.insertInto('oauth_codes').values(code).execute()
}

/** Marks the code as used. Undefined if it does not exist or was used before. */
export function takeCode(tx: Tx, codeHash: string, now: number): Promise<CodeRow | undefined> {
  return tx
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function findCode(tx: Tx, codeHash: string): Promise<CodeRow | undefined> {
  return tx.selectFrom('oauth_codes').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()
}

export async function insertProgram(tx: Tx, program: ProgramRow): Promise<void> {
  await tx.insertInto('connected_programs').values(program).execute()
}

export function findProgramByFamily(tx: Tx, familyHash: string): Promise<ProgramRow | undefined> {
  return tx
    .selectFrom('connected_programs')
    .selectAll()
    .where('family_hash', '=', familyHash)
    .executeTakeFirst()
}

/** Replaces the refresh token. Returns false if it is no longer the newest one. */
export async function rotateRefreshToken(
  tx: Tx,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connected_programs')
    .set({ refresh_hash: to })
    .where('id', '=', id)
    .where('refresh_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertAccessToken(
  tx: Tx,
  token: Insertable<Database['oauth_access_tokens']>,
): Promise<void> {
  await tx.insertInto('oauth_access_tokens').values(token).execute()
}

/** The token that has not ended, with its program and user. */
export function findTokenWithUser(db: Executor, tokenHash: string, now: number) {
  return db
    .selectFrom('oauth_access_tokens as token')
    .innerJoin('connected_programs as program', 'program.id', 'token.program_id')
    .innerJoin('users', 'users.id', 'program.user_id')
    .select(['users.id', 'users.name', 'users.email'])
    .select(['program.id as key_id', 'token.scopes', 'program.channel_ids', 'program.last_used_at'])
    .where('token.token_hash', '=', tokenHash)
    .where('token.expires_at', '>', now)
    .where('program.expires_at', '>', now)
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()
}

export async function isProgramActive(db: Executor, id: string, now: number): Promise<boolean> {
  const found = await db
    .selectFrom('connected_programs as program')
    .innerJoin('users', 'users.id', 'program.user_id')
    .select('program.id')
    .where('program.id', '=', id)
    .where('program.expires_at', '>', now)
    .where('users.deleted_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function touchProgram(db: Executor, id: string, now: number): Promise<void> {
  await db.updateTable('connected_programs').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** The programs of a user that have not ended, newest first. */
export function listPrograms(
  db: Executor,
  userId: string,
  now: number,
  limit: number,
): Promise<ProgramRow[]> {
  return db
    .selectFrom('connected_programs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Programs that are connected, and codes that can still connect one. */
export async function countPrograms(tx: Tx, userId: string, now: number): Promise<number> {
  const { programs } = await tx
    .selectFrom('connected_programs')
    .select((eb) => eb.fn.countAll().as('programs'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  const { codes } = await tx
    .selectFrom('oauth_codes')
    .select((eb) => eb.fn.countAll().as('codes'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(programs) + Number(codes)
}

/** Ends a program with its tokens. Undefined if there is none. */
export function deleteProgram(tx: Tx, id: string): Promise<ProgramRow | undefined> {
  return tx.deleteFrom('connected_programs').where('id', '=', id).returningAll().executeTakeFirst()
}

/** As `deleteProgram`, if it is the user's. */
export function deleteProgramOfUser(tx: Tx, userId: string, id: string): Promise<ProgramRow | undefined> {
  return tx
    .deleteFrom('connected_programs')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

export async function findProgramIdByAccessToken(tx: Tx, tokenHash: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('oauth_access_tokens')
    .select('program_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.program_id
}

export function findProgram(tx: Tx, id: string): Promise<ProgramRow | undefined> {
  return tx.selectFrom('connected_programs').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function deleteExpired(
  db: Executor,
  { now, codesBefore }: { now: number; codesBefore: number },
): Promise<void> {
  await db.deleteFrom('oauth_access_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('connected_programs').where('expires_at', '<=', now).execute()
  await db.deleteFrom('oauth_codes').where('expires_at', '<=', codesBefore).execute()
}
