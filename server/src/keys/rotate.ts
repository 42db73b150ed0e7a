import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../deps.ts'
import { audit, commandLine } from '../features/audit/append.ts'
import { sendResetLink } from '../features/auth/reset-link.ts'
import { readSetting, writeSetting } from '../features/settings/store.ts'
import { type Keys, newKey, readKeys, replaceKeys } from '../key-file.ts'
import { mailJobs } from '../mail/send-mail.ts'
import { previousKeyKept } from '../secrets.ts'
import { changePayload, endAllSessions, forgetAllBrowsers, holdKeys, jobsOf, voidAllCodes } from './store.ts'

type Records = Pick<Deps, 'db' | 'secrets' | 'now'>

/** The keys stay as they are; the message says why in one sentence. */
export class NotRotated extends Error {}

/** The keys are new, and the records know nothing of it yet. */
export class RotationBrokenOff extends Error {}

/** What the records lost or kept by it. */
export interface Rotated {
  /** Until when tokens of the keys before are good; null where they are not any more. */
  acceptedUntil: number | null
  /** A rotation that was broken off was brought to its end; the keys were new already. */
  wasBrokenOff: boolean
  /** Null where the rotation that was broken off had come so far. */
  counts: { sessions: number; codes: number; browsers: number; letters: number } | null
}

const setting = 'keyRotation'
const entered = z.object({ id: z.string() })
const lettersPerStep = 200
const holdsSealed = [...mailJobs, sendResetLink].map(({ name }) => name)

/** Letters that wait are sealed anew, so that nothing in the database needs the old keys. */
async function sealAnew(tx: Tx, secrets: Deps['secrets']): Promise<number> {
  let letters = 0
  for (let after = ''; ; ) {
    const jobs = await jobsOf(tx, holdsSealed, after, lettersPerStep)
    for (const { id, payload } of jobs) {
      const { sealed, ...rest } = z.looseObject({ sealed: z.string() }).parse(JSON.parse(payload))
      await changePayload(tx, id, JSON.stringify({ ...rest, sealed: secrets.seal(secrets.unseal(sealed)) }))
      letters += 1
    }
    const last = jobs.at(-1)
    if (!last) return letters
    after = last.id
  }
}

/** Ends what was made with keys that are gone, and enters the rotation, once. */
async function tellRecords({ secrets, now }: Records, tx: Tx, keys: Keys, id: string) {
  const known = entered.safeParse(await readSetting(tx, setting))
  if (known.success && known.data.id === id) return null
  const counts = {
    sessions: keys.previousTokenKey === undefined ? await endAllSessions(tx) : 0,
    codes: await voidAllCodes(tx),
    browsers: await forgetAllBrowsers(tx),
    letters: await sealAnew(tx, secrets),
  }
  await writeSetting(tx, setting, { id }, now())
  const isNow = keys.previousTokenKey === undefined
  await audit({ now }, tx, {
    actor: null,
    client: commandLine,
    action: 'keys.rotated',
    after: { isNow, ...counts },
  })
  return counts
}

function isBrokenOff({ rotation }: Keys): boolean {
  return rotation?.isFinished === false
}

function requireAge({ previousTokenKey, rotation }: Keys, now: number): void {
  if (previousTokenKey === undefined || rotation === undefined) return
  const until = rotation.at + previousKeyKept
  if (now < until)
    throw new NotRotated(
      `The keys were rotated less than a day ago, and sessions of the ones before are good until ${new Date(until).toISOString()}. Please wait until then, or give --now, which signs everybody out.`,
    )
}

function nextKeys({ tokenKey, pepper }: Keys, endsSessions: boolean, now: number): Keys {
  return {
    tokenKey: newKey(),
    ...(endsSessions ? {} : { previousTokenKey: tokenKey }),
    pepper: newKey(),
    previousPepper: pepper,
    rotation: { id: uuidv7(), at: Math.floor(now), isFinished: false },
  }
}

/** One that was broken off is gone on with; asked to end sessions, it does that too. */
function chosenKeys(found: Keys, endsSessions: boolean, now: number): Keys {
  if (isBrokenOff(found)) {
    const { previousTokenKey, ...rest } = found
    return endsSessions || previousTokenKey === undefined ? rest : found
  }
  if (!endsSessions) requireAge(found, now)
  return nextKeys(found, endsSessions, now)
}

function finish(records: Records, path: string, id: string): Promise<void> {
  return records.db.transaction().execute(async (tx) => {
    await holdKeys(tx)
    const { rotation, ...keys } = readKeys(path)
    if (rotation?.id === id) replaceKeys(path, { ...keys, rotation: { ...rotation, isFinished: true } })
  })
}

/**
 * New keys in the secrets file, and in one transaction what follows for the records. The file comes first and says that
 * the records have yet to follow: broken off anywhere, the next call goes on, and a server works with either file.
 */
export async function rotateKeys(records: Records, path: string, endsSessions: boolean): Promise<Rotated> {
  const known = readKeys(path)
  try {
    const { keys, counts } = await records.db.transaction().execute(async (tx) => {
      await holdKeys(tx)
      const found = readKeys(path)
      if (found.tokenKey !== known.tokenKey)
        throw new NotRotated('The keys were rotated just now by another command.')
      const chosen = chosenKeys(found, endsSessions, records.now())
      replaceKeys(path, chosen)
      return { keys: chosen, counts: await tellRecords(records, tx, chosen, chosen.rotation?.id ?? '') }
    })
    await finish(records, path, keys.rotation?.id ?? '')
    return {
      acceptedUntil: keys.previousTokenKey === undefined ? null : (keys.rotation?.at ?? 0) + previousKeyKept,
      wasBrokenOff: isBrokenOff(known),
      counts,
    }
  } catch (cause) {
    if (cause instanceof NotRotated || !isBrokenOff(readKeys(path))) throw cause
    throw new RotationBrokenOff(
      'The keys are new, but the records could not follow. Please run npx lyceum keys rotate once more: it goes on from there.',
      { cause },
    )
  }
}
