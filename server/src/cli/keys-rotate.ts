import { failureWords } from '../backup/failure-words.ts'
import { NotRotated, type Rotated, RotationBrokenOff, rotateKeys } from '../keys/rotate.ts'
import { type Records, secretsPath } from '../start.ts'
import { type Command, noWords, Refused } from './command.ts'
import { withRecords } from './records.ts'

function told({ acceptedUntil, wasBrokenOff, counts }: Rotated): string {
  return [
    wasBrokenOff ? 'The rotation that was broken off is complete.' : 'The keys are new.',
    acceptedUntil === null
      ? 'Everybody has to sign in again.'
      : `Whoever is signed in stays so: their sessions are good until ${new Date(acceptedUntil).toISOString()} at most.`,
    'Codes on their way are void, and every browser is asked for a code once more.',
    ...(counts && counts.letters > 0 ? [`${counts.letters} waiting letters were sealed anew.`] : []),
    'A running server uses them from now on. A backup made --with-secrets holds the old ones: please make another.',
  ].join('\n')
}

async function rotate(records: Records, endsSessions: boolean): Promise<Rotated> {
  const path = secretsPath(records.env)
  try {
    return await rotateKeys(records, path, endsSessions)
  } catch (error) {
    if (error instanceof NotRotated || error instanceof RotationBrokenOff) throw new Refused(error.message)
    if (!('syscall' in (error as object))) throw error
    throw new Refused(
      `The secrets file could not be written, and nothing was changed. ${failureWords(error)}`,
    )
  }
}

export const keysRotateCommand: Command = {
  name: 'keys rotate',
  takes: '[--now]',
  summary: 'put new keys in the place of those that sign sessions and seal letters',
  details: [
    'Beside a running server too, which uses them from then on. Sessions go on; tokens of the old key are good for a day.',
    'Codes on their way become void, and trusted browsers are asked for a code once more. Links stay good.',
    'Broken off anywhere, it goes on when it is run again.',
    '--now   the old key is good no longer: everybody has to sign in again. For when it may have been read',
  ],
  flags: ['now'],
  async run(given) {
    noWords(given)
    console.log(told(await withRecords((records) => rotate(records, given.flags.has('now')))))
    return 0
  },
}
