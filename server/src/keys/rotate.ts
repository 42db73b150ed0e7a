import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { resealConnections } from '../connections/stored.ts'
import { readSetting, writeSetting } from '../db/settings.ts'
import type { Deps } from '../deps.ts'
import { audit, commandLineClient } from '../features/audit/append.ts'
import { resealReceivers } from '../features/audit/stream/receivers.ts'
import { sendResetLink } from '../features/auth/reset-link.ts'
import { resealIssuers } from '../features/single-sign-on/issuers.ts'
import { resealDirectory } from '../features/single-sign-on/ldap-directory.ts'
import { resealWebhooks } from '../features/webhooks/webhooks.ts'
import { mailJobs } from '../mail/send-mail.ts'
import { replaceFingerprint } from './fingerprint.ts'
import { type Keys, newKey, readKeys, replaceKeys } from './key-file.ts'
import { previousKeyLifetime } from './secrets.ts'
import {
  endAllSessions,
  forgetAllBrowsers,
  invalidateAllCodes,
  listJobs,
  lockKeys,
  updatePayload,
} from './store.ts'

type RotationDeps = Pick<Deps, 'db' | 'secrets' | 'now'>

/** The keys were not changed. The message says why in one sentence. */
export class RotationRefused extends Error {}

/** The secrets file has the new keys, but the database was not updated yet. */
export class RotationInterrupted extends Error {}

export interface RotationResult {
  /** When tokens signed with the previous key stop working; null if they already have. */
  acceptedUntil: number | null
  /** True if this call finished an interrupted rotation, which had already written the new keys. */
  wasInterrupted: boolean
  /** Null if an interrupted rotation had already updated the database. */
  counts: { sessions: number; codes: number; browsers: number; emails: number; connections: number } | null
}

const setting = 'keyRotation'
const storedRotation = z.object({ id: z.string() })
const jobsPerBatch = 200
const sealedJobNames = [...mailJobs, sendResetLink].map(({ name }) => name)

/** Re-encrypts waiting emails, so that nothing in the database needs the old keys. */
async function resealEmails(tx: Tx, secrets: Deps['secrets']): Promise<number> {
  let emails = 0
  for (let after = ''; ; ) {
    const jobs = await listJobs(tx, sealedJobNames, after, jobsPerBatch)
    for (const { id, payload } of jobs) {
      const { sealed, ...rest } = z.looseObject({ sealed: z.string() }).parse(JSON.parse(payload))
      await updatePayload(tx, id, JSON.stringify({ ...rest, sealed: secrets.seal(secrets.unseal(sealed)) }))
      emails += 1
    }
    const last = jobs.at(-1)
    if (!last) return emails
    after = last.id
  }
}

/** Invalidates what depends on the old keys and audits the rotation. Does nothing on a second call for the same id. */
async function updateRecords({ secrets, now }: RotationDeps, tx: Tx, keys: Keys, id: string) {
  const lastRotation = storedRotation.safeParse(await readSetting(tx, setting))
  if (lastRotation.success && lastRotation.data.id === id) return null
  const counts = {
    sessions: keys.previousTokenKey === undefined ? await endAllSessions(tx) : 0,
    codes: await invalidateAllCodes(tx),
    browsers: await forgetAllBrowsers(tx),
    emails: await resealEmails(tx, secrets),
    connections:
      (await resealConnections(tx, secrets, now())) +
      (await resealIssuers(tx, secrets)) +
      (await resealDirectory(tx, secrets)) +
      (await resealReceivers(tx, secrets)) +
      (await resealWebhooks(tx, secrets)),
  }
  await writeSetting(tx, setting, { id }, now())
  await replaceFingerprint(tx, { secrets, now })
  const isNow = keys.previousTokenKey === undefined
  const { emails: letters, ...otherCounts } = counts
  await audit({ now }, tx, {
    actor: null,
    client: commandLineClient,
    action: 'keys.rotated',
    after: { isNow, ...otherCounts, letters },
  })
  return counts
}

function isInterrupted({ rotation }: Keys): boolean {
  return rotation?.isFinished === false
}

function refuseEarlyRotation({ previousTokenKey, rotation }: Keys, now: number): void {
  if (previousTokenKey === undefined || rotation === undefined) return
  const until = rotation.at + previousKeyLifetime
  if (now < until)
    throw new RotationRefused(
      `The keys were rotated less than a day ago, and sessions signed with the previous key are valid until ${new Date(until).toISOString()}. Wait until then, or use --now, which signs everyone out.`,
    )
}

function nextKeys({ tokenKey, pepper }: Keys, shouldEndSessions: boolean, now: number): Keys {
  return {
    tokenKey: newKey(),
    ...(shouldEndSessions ? {} : { previousTokenKey: tokenKey }),
    pepper: newKey(),
    previousPepper: pepper,
    rotation: { id: uuidv7(), at: Math.floor(now), isFinished: false },
  }
}

/** An interrupted rotation continues with its keys, but drops the previous token key if all sessions should end. */
function chooseKeys(current: Keys, shouldEndSessions: boolean, now: number): Keys {
  if (isInterrupted(current)) {
    const { previousTokenKey, ...rest } = current
    return shouldEndSessions || previousTokenKey === undefined ? rest : current
  }
  if (!shouldEndSessions) refuseEarlyRotation(current, now)
  return nextKeys(current, shouldEndSessions, now)
}

function finish(deps: RotationDeps, path: string, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    await lockKeys(tx)
    const { rotation, ...keys } = readKeys(path)
    if (rotation?.id === id) replaceKeys(path, { ...keys, rotation: { ...rotation, isFinished: true } })
  })
}

/**
 * Writes new keys to the secrets file and updates the database in one transaction. The file is written first and marks
 * the rotation as unfinished. If the rotation is interrupted, the next call continues it, and servers keep working.
 */
export async function rotateKeys(
  deps: RotationDeps,
  path: string,
  shouldEndSessions: boolean,
): Promise<RotationResult> {
  const keysBefore = readKeys(path)
  try {
    const { keys, counts } = await deps.db.transaction().execute(async (tx) => {
      await lockKeys(tx)
      const current = readKeys(path)
      if (current.tokenKey !== keysBefore.tokenKey)
        throw new RotationRefused('Another command has just rotated the keys.')
      const chosen = chooseKeys(current, shouldEndSessions, deps.now())
      replaceKeys(path, chosen)
      return { keys: chosen, counts: await updateRecords(deps, tx, chosen, chosen.rotation?.id ?? '') }
    })
    await finish(deps, path, keys.rotation?.id ?? '')
    return {
      acceptedUntil:
        keys.previousTokenKey === undefined ? null : (keys.rotation?.at ?? 0) + previousKeyLifetime,
      wasInterrupted: isInterrupted(keysBefore),
      counts,
    }
  } catch (cause) {
    if (cause instanceof RotationRefused || !isInterrupted(readKeys(path))) throw cause
    throw new RotationInterrupted(
      'The keys were replaced, but the database was not updated. Run npx lyceum keys rotate again to finish.',
      { cause },
    )
  }
}
