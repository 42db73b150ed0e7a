import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Turn, TurnPicture } from './port.ts'
import type { PromptTurn } from './prompt.ts'

/** A multiple of 3, so that the base64 texts of the parts can be joined. */
const partBytes = 192 * 1024

const encoder = new TextEncoder()

/** Encodes a file part by part, so that a large picture does not delay other requests. */
export async function readBase64(content: Readable): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let pending: Buffer[] = []
  let pendingBytes = 0
  function encode(bytes: Buffer): void {
    parts.push(encoder.encode(bytes.toString('base64')))
  }
  for await (const chunk of content) {
    pending.push(chunk as Buffer)
    pendingBytes += (chunk as Buffer).length
    if (pendingBytes < partBytes) continue
    const bytes = Buffer.concat(pending)
    const length = bytes.length - (bytes.length % 3)
    encode(bytes.subarray(0, length))
    pending = [bytes.subarray(length)]
    pendingBytes = bytes.length - length
  }
  encode(Buffer.concat(pending))
  return new Blob(parts)
}

const maxScaledSide = 2048
const maxScaledShortSide = 768
const tileSide = 512

/** Estimates by OpenAI's rule, which scales a picture down and counts its tiles. Other providers count similarly. */
export function estimatePictureTokens(width: number, height: number): number {
  const scale = Math.min(
    1,
    maxScaledSide / Math.max(width, height),
    maxScaledShortSide / Math.min(width, height),
  )
  const tiles = Math.ceil((width * scale) / tileSide) * Math.ceil((height * scale) / tileSide)
  return 85 + 170 * tiles
}

export function countPictureTokens(turns: readonly Turn[]): number {
  return turns.flatMap(({ pictures = [] }) => pictures).reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Pictures by the address that represents them in the library's request. */
export type PictureBodies = ReadonlyMap<string, TurnPicture>

/**
 * Gives each picture an address. The library would join all pictures into one string several times, which takes longer
 * than other requests may wait. The addresses are random, so that no text in a request can name one.
 */
export function addPictures(turns: readonly Turn[]): { turns: PromptTurn[]; pictures: PictureBodies } {
  const bodies = new Map<string, TurnPicture>()
  const prefix = `picture:${randomUUID()}`
  const addressed = turns.map(({ pictures = [], ...turn }): PromptTurn => {
    if (pictures.length === 0) return turn
    const added = pictures.map((picture) => {
      const url = new URL(`${prefix}-${bodies.size}.`)
      bodies.set(url.href, picture)
      return { url, mimeType: picture.mimeType }
    })
    return { ...turn, pictures: added }
  })
  return { turns: addressed, pictures: bodies }
}

/** Replaces the addresses in a request's JSON with the pictures, as data URLs. */
export function insertPictures(json: string, pictures: PictureBodies): Blob {
  const parts: (string | Blob)[] = []
  let from = 0
  const found = [...pictures]
    .flatMap(([url, picture]) => {
      const at = json.indexOf(url)
      return at < 0 ? [] : [{ at, url, picture }]
    })
    .toSorted((a, b) => a.at - b.at)
  for (const { at, url, picture } of found) {
    parts.push(json.slice(from, at), `data:${picture.mimeType};base64,`, picture.base64)
    from = at + url.length
  }
  return new Blob([...parts, json.slice(from)])
}
