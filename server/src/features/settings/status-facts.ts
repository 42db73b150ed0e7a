import type { PartState, StatusFact } from '@lyceum/contract/status'

/** How one part stands, before it is said which. */
export interface Standing {
  state: PartState
  words: string
  facts: StatusFact[]
}

type Of<V> = (label: string, value: V | null) => StatusFact

export const textFact: Of<string> = (label, value) => ({ label, kind: 'text', value })
export const countFact: Of<number> = (label, value) => ({ label, kind: 'count', value })
export const bytesFact: Of<number> = (label, value) => ({ label, kind: 'bytes', value })
export const timeFact: Of<number> = (label, value) => ({ label, kind: 'time', value })

/** Errors quote addresses, and an address may hold a user and a password. */
export const withoutCredentials = (text: string): string =>
  text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1').slice(0, 500)

/** Host and port of an address, which is all of it that anybody needs to see. */
export const hostOf = (address: string): string => new URL(address).host

export const plural = (count: number, one: string, many: string): string =>
  count === 1 ? `One ${one}` : `${count.toLocaleString('en')} ${many}`
