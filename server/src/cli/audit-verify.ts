import { type Verdict, verifyChain } from '../features/audit/verify.ts'
import { type Command, noWords, WrongUsage } from './command.ts'
import { withRecords } from './records.ts'

const hashForm = /^[0-9a-f]{64}$/

function readHash(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!hashForm.test(text))
    throw new WrongUsage('--expect takes the 64 characters that an earlier run printed')
  return text
}

function counted(entries: number): string {
  return `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}`
}

function faultWords({ entries, fault }: Verdict): string | null {
  return (
    fault &&
    [
      `The chain is broken after ${counted(entries)}.`,
      `The first that does not fit is entry ${fault.seq} (${fault.id}) of ${new Date(fault.at).toISOString()}. ${fault.why}`,
    ].join('\n')
  )
}

export const auditVerifyCommand: Command = {
  name: 'audit verify',
  takes: '[--expect <hash>]',
  summary: 'check that no entry of the audit log was changed, removed or moved',
  details: [
    'It only reads, and may run beside the server. It ends with 1 where something does not fit.',
    'It cannot see by itself that the newest entries were cut off: keep the hash it prints in another place,',
    'and give it to a later run.',
    '--expect <hash>   the newest hash of an earlier run, which must still be there',
  ],
  texts: ['expect'],
  async run(given) {
    noWords(given)
    const expected = readHash(given.texts['expect'])
    const verdict = await withRecords(({ db }) => verifyChain(db, expected))
    const fault = faultWords(verdict)
    if (fault !== null) {
      console.error(fault)
      return 1
    }
    console.log(`${counted(verdict.entries)}, chain whole`)
    if (verdict.newestHash !== null) console.log(`Newest hash: ${verdict.newestHash}`)
    if (expected === null || verdict.isExpectedFound) return 0
    console.error(
      `The entry with the hash ${expected} is not there any more: the end of the log was cut off.`,
    )
    return 1
  },
}
