const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** A text file as text: UTF-8, or UTF-16 when its first bytes say so. */
export async function plainText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  return new TextDecoder(marked?.[0] ?? 'utf-8').decode(bytes)
}
