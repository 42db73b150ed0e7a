/** An embedding in the two forms the index keeps: signs for a fast first look, bytes to rank what it found. */
export interface VectorCodes {
  dimensions: number
  signs: Uint8Array
  bytes: Int8Array
}

/** Null for a vector that points nowhere. */
export function encodeVector(vector: Float32Array): VectorCodes | null {
  // Signs are packed by eight.
  const dimensions = Math.ceil(vector.length / 8) * 8
  let largest = 0
  for (const value of vector) {
    if (!Number.isFinite(value)) throw new Error('An embedding holds a value that is not a number')
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
