import type { ChatMessage } from '@lyceum/contract/chats'
import type { Citation } from '@lyceum/contract/citations'

export interface ExportedChat {
  title: string | null
  channelName: string
  /** ISO 8601. */
  exportedAt: string
}

/** Escapes text from users or documents, so that it appears literally and on one line. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~$&]/g, '\\$&')
}

function quoteBlock(text: string): string {
  return text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/
const rawHtml = /^ {0,3}<[A-Za-z!?/]/m
/** A line that looks like a message heading of the exported file. */
const headingLike = /^ {0,3}(?:#{1,6}\s+)?(?:You|Assistant|System), \d{4}-\d\d-\d\d/m

function hasOpenCodeBlock(text: string): boolean {
  let open: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, run = '', rest = ''] = fence.exec(line) ?? []
    if (run === '') continue
    if (open === null) {
      if (run.startsWith('~') || !rest.includes('`')) open = run
    } else if (run.startsWith(open) && rest.trim() === '') open = null
  }
  return open !== null
}

/**
 * Quotes the user's messages, so that any markup they open ends with the quotation. Replies are kept as they are,
 * unless they could affect the text after them or imitate a message heading; then they are quoted too.
 */
function formatBody({ role, content }: ChatMessage): string {
  const mustQuote =
    role === 'user' || hasOpenCodeBlock(content) || rawHtml.test(content) || headingLike.test(content)
  return mustQuote ? quoteBlock(content) : content.trimEnd()
}

function formatSource({ n, title, page, quote }: Citation): string {
  return `${n}. ${escapeMarkdown(title)}${page === null ? '' : `, page ${page}`}: “${escapeMarkdown(quote)}”`
}

function formatSources({ citations = [] }: ChatMessage): string[] {
  return citations.length === 0
    ? []
    : [
        `Sources:\n\n${[...citations]
          .sort((a, b) => a.n - b.n)
          .map(formatSource)
          .join('\n')}`,
      ]
}

function formatFiles({ attachments = [] }: ChatMessage): string[] {
  return attachments.length === 0
    ? []
    : [`Attached files: ${attachments.map(({ name }) => escapeMarkdown(name)).join(', ')}`]
}

function formatError(error: string | null | undefined): string {
  return error ? ` ${error}` : ''
}

function formatNotes({ state, mode, error, isUngrounded }: ChatMessage): string[] {
  const notes: string[] = []
  if (mode === 'extractive') notes.push('Quoted from the documents, without a language model.')
  if (isUngrounded) notes.push('Not based on this channel’s documents.')
  if (state === 'stopped') notes.push('This reply was stopped.')
  if (state === 'interrupted') notes.push(`This reply was interrupted.${formatError(error)}`)
  if (state === 'failed') notes.push(`The reply failed.${formatError(error)}`)
  if (state === 'streaming') notes.push('This reply was still being written.')
  return notes.map((note) => `*${note}*`)
}

function formatHeading({ role, timestamp, versions }: ChatMessage): string {
  const author = role === 'user' ? 'You' : role === 'assistant' ? 'Assistant' : 'System'
  const version = versions ? `, version ${versions.current + 1} of ${versions.ids.length}` : ''
  return `## ${author}, ${timestamp}${version}`
}

export function formatChatHeader({ title, channelName, exportedAt }: ExportedChat): string {
  return `# ${title === null ? 'Chat' : escapeMarkdown(title)}\n\nChannel: ${escapeMarkdown(channelName)}  \nExported: ${exportedAt}\n`
}

/** One message with its heading, sources and notes. Starts with the blank line that separates it. */
export function formatMessage(message: ChatMessage): string {
  const body = message.content.trim() === '' ? [] : [formatBody(message)]
  return `\n${[formatHeading(message), ...body, ...formatFiles(message), ...formatSources(message), ...formatNotes(message)].join('\n\n')}\n`
}
