import { createHash } from 'node:crypto'
import type { Row } from '#db/snapshot.ts'
import { encodeRow } from './rows.ts'

const modulus = 1n << 256n

/** A digest that does not depend on the order of the rows, which differs between the databases. */
export function createDigest() {
  let [rows, sum] = [0, 0n]
  return {
    add(row: Row): void {
      rows += 1
      sum = (sum + BigInt(`0x${createHash('sha256').update(encodeRow(row)).digest('hex')}`)) % modulus
    },
    result: () => ({ rows, digest: sum.toString(16) }),
  }
}
