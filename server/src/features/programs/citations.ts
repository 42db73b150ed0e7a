import type { ChatMessage } from '@lyceum/contract/chats'
import type { Citation } from '@lyceum/contract/citations'
import type { Deps } from '../../deps.ts'
import type { ChatAddress } from '../chats/access.ts'

/** A source of a reply, with everything a program needs to show it. */
export interface ApiCitation {
  /** The number in the text: `[n]`. */
  n: number
  document_id: string
  version: number
  title: string
  page: number | null
  /** The path of headings above the passage. */
  heading: string | null
  /** A part of the document, word for word. */
  quote: string
  /** Opens the reply in Lyceum with this source. */
  url: string
}

/** OpenAI's shape. `start_index` and `end_index` enclose the marker `[n]`, counted in Unicode code points. */
export interface UrlCitation {
  start_index: number
  end_index: number
  title: string
  url: string
}

function countCodePoints(text: string): number {
  return Array.from(text).length
}

function buildUrl({ env }: Deps, { channelId, chatId }: ChatAddress, replyId: string, n: number): string {
  const url = new URL(`${env.PUBLIC_URL}/channels/${encodeURIComponent(channelId)}`)
  url.searchParams.set('chat', chatId)
  url.searchParams.set('message', replyId)
  url.searchParams.set('source', String(n))
  return url.href
}

/** The citations of a finished reply. */
export function presentCitations(deps: Deps, address: ChatAddress, reply: ChatMessage): ApiCitation[] {
  return (reply.citations ?? []).map(({ n, documentId, version = 1, ...citation }: Citation) => ({
    n,
    document_id: documentId,
    version,
    title: citation.title,
    page: citation.page,
    heading: citation.headingPath.length === 0 ? null : citation.headingPath.join(' › '),
    quote: citation.quote,
    url: buildUrl(deps, address, reply._id, n),
  }))
}

/** One for each marker in the text, in its order. */
export function locateCitations(text: string, citations: readonly ApiCitation[]): UrlCitation[] {
  const byNumber = new Map(citations.map((citation) => [String(citation.n), citation]))
  let at = 0
  let codePoints = 0
  return [...text.matchAll(/\[(\d+)\]/g)].flatMap(({ 0: marker, 1: n = '', index }) => {
    const citation = byNumber.get(n)
    if (!citation) return []
    codePoints += countCodePoints(text.slice(at, index))
    at = index
    const { title, page, url } = citation
    return [
      {
        start_index: codePoints,
        end_index: codePoints + marker.length,
        title: page === null ? title : `${title}, page ${page}`,
        url,
      },
    ]
  })
}
