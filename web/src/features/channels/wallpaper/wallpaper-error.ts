import { ApiError, messageOf } from '#api/api-error.ts'
import { texts } from '#texts/member.ts'

const { wallpaper: words } = texts

/** What is looked for in a failure, in this order, and what is said then. */
const rows: readonly [found: RegExp, said: string][] = [
  [/Document validation failed/, words.missingFields],
  [/Network Error/, words.network],
  [/\b500\b/, words.server],
  [/\b401\b/, words.signedOut],
  [/\b403\b/, words.notAllowed],
  [/\b413\b/, words.refusedAsTooLarge],
]

/** A failure as text: without an answer that of the network, else its status before what the server said. */
function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : ''
  return error.code === 'network' ? 'Network Error' : `${error.status} ${error.message}`
}

/** Why a wallpaper could not be uploaded (docs/product.md, "Pictures"). */
export function wallpaperErrorWords(error: unknown): string {
  const text = textOf(error)
  const row = rows.find(([found]) => found.test(text))
  return row === undefined ? messageOf(error, words.uploadFailed) : row[1]
}
