import type { PassageQuery } from './port.ts'

/** An embedding in the two stored forms: sign bits for a fast first pass, and bytes for exact ranking. */
export interface VectorCodes {
  dimensions: number
  signs: Uint8Array
  bytes: Int8Array
}

/** The vector of a question; its codes are null if it has none. */
export function encodeQuestion({ embedding }: Pick<PassageQuery, 'embedding'>): {
  space: string
  codes: VectorCodes | null
} {
  return { space: embedding?.space ?? '', codes: embedding && encodeVector(embedding.vector) }
}

/** Returns null for a zero vector. */
export function encodeVector(vector: Float32Array): VectorCodes | null {
  // Eight signs are packed into one byte.
  const dimensions = Math.ceil(vector.length / 8) * 8
  let largest = 0
  for (const value of vector) {
    if (!Number.isFinite(value)) throw new Error('an embedding contains a value that is not finite')
    largest = Math.max(largest, Math.abs(value))
  }
  if (largest === 0) return null
  const signs = new Uint8Array(dimensions / 8)
  const bytes = new Int8Array(dimensions)
  for (const [index, value] of vector.entries()) {
    bytes[index] = Math.round((value / largest) * 127)
    if (value > 0) signs[index >> 3] = (signs[index >> 3] ?? 0) | (1 << (index & 7))
  }
  return { dimensions, signs, bytes }
}
