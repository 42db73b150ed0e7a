import { type VerificationResult, verifyChain } from '../features/audit/verify.ts'
import { type Command, requireNoPositionals, UsageError } from './command.ts'
import { formatCount } from './format-count.ts'
import { withDatabase } from './with-database.ts'

const hashPattern = /^[0-9a-f]{64}$/

function readHash(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!hashPattern.test(text))
    throw new UsageError('--expect takes the 64-character hash that an earlier run printed')
  return text
}

function formatEntryCount(entries: number): string {
  return formatCount(entries, 'entry', 'entries')
}

function describeFault({ entries, fault }: VerificationResult): string | null {
  return (
    fault &&
    [
      `The chain is broken after ${formatEntryCount(entries)}.`,
      `The first entry that does not match is ${fault.seq} (${fault.id}) of ${new Date(fault.at).toISOString()}. ${fault.reason}`,
    ].join('\n')
  )
}

export const auditVerifyCommand: Command = {
  name: 'audit verify',
  synopsis: '[--expect <hash>]',
  summary: 'verify that no entry of the audit log was changed, removed or moved',
  details: [
    'Reads only; the server may be running. Exits with 1 if an entry does not match.',
    'It cannot detect by itself that the newest entries were removed. Store the printed hash outside this server,',
    'and pass it to a later run.',
    '--expect <hash>   the newest hash of an earlier run, which must still be in the log',
  ],
  options: ['expect'],
  async run(args) {
    requireNoPositionals(args)
    const expected = readHash(args.options['expect'])
    const verdict = await withDatabase(({ db }) => verifyChain(db, expected))
    const fault = describeFault(verdict)
    if (fault !== null) {
      console.error(fault)
      return 1
    }
    console.log(`${formatEntryCount(verdict.entries)}, chain intact`)
    if (verdict.newestHash !== null) console.log(`Newest hash: ${verdict.newestHash}`)
    if (expected === null || verdict.isExpectedHashFound) return 0
    console.error(`The entry with the hash ${expected} is missing: the end of the log was removed.`)
    return 1
  },
}
