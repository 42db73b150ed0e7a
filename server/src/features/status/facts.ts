import type { DocumentRemedy, PartState, StatusFact } from '@lyceum/contract/status'

/** The state of one part, without its name. */
export interface PartReading {
  state: PartState
  words: string
  failedAt?: string
  facts: StatusFact[]
  remedy?: DocumentRemedy
}

type FactBuilder<V> = (label: string, value: V | null) => StatusFact

export const textFact: FactBuilder<string> = (label, value) => ({ label, kind: 'text', value })
export const countFact: FactBuilder<number> = (label, value) => ({ label, kind: 'count', value })
export const bytesFact: FactBuilder<number> = (label, value) => ({ label, kind: 'bytes', value })
export const timeFact: FactBuilder<number> = (label, value) => ({ label, kind: 'time', value })

/** Error messages may quote URLs that contain a user name and password. */
export function removeCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1').slice(0, 500)
}

export const unreadable =
  'The stored values cannot be decrypted with the keys of this installation. Enter them again.'

export function createFailureFacts(
  failure: { at: number; reason: string } | null,
  reasonLabel = 'Reason',
): StatusFact[] {
  return failure === null
    ? []
    : [timeFact('Last failure', failure.at), textFact(reasonLabel, removeCredentials(failure.reason))]
}

export function formatCount(count: number, one: string, many: string): string {
  return count === 1 ? `One ${one}` : `${count.toLocaleString('en')} ${many}`
}

export function formatServer({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
