import { hashTerm } from './passage-terms.ts'
import type { VectorCodes } from './vector-codes.ts'

/** A term of a channel, as the tables store it. PostgreSQL's integers are signed. */
export function hashWord(channelId: string, term: string): number {
  return hashTerm(`${channelId}\0${term}`) | 0
}

/** The sign bits as a literal of the type `bit varying`. */
export function toBits({ signs }: VectorCodes): string {
  return `x${Buffer.from(signs).toString('hex')}`
}
