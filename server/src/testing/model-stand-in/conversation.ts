export interface Message {
  role: string
  content: string
  /** The addresses of its pictures. */
  pictures?: string[]
}

export interface Conversation {
  instructions: string
  /** Passages by their number in the prompt. */
  sources: ReadonlyMap<number, string>
  question: string
  /** The text the model is asked to continue; null for a new answer. */
  partialAnswer: string | null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

/**
 * The addresses of the pictures in a turn: `{ type: 'image_url', image_url: { url } }` in a chat completion,
 * `{ type: 'input_image', image_url }` in a response.
 */
function readPictures(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap((part) => {
    const address = part['image_url']
    if (part['type'] === 'input_image') return [String(address)]
    if (part['type'] !== 'image_url') return []
    return [String(isRecord(address) ? address['url'] : '')]
  })
}

/** Reads the turns of a chat completion ('messages') or a response ('input'). */
export function readMessages(body: Record<string, unknown>): Message[] {
  const turns = body['messages'] ?? body['input']
  if (typeof turns === 'string') return [{ role: 'user', content: turns }]
  if (!Array.isArray(turns)) return []
  return turns.filter(isRecord).map((turn) => ({
    role: String(turn['role'] ?? ''),
    content: readText(turn['content']),
    pictures: readPictures(turn['content']),
  }))
}

const sourceStart = /^\s*\[(\d{1,3})\]\s*(.*)$/
/** Lines that separate sources from the rest: rules, tags, headings and the question itself. */
const fence = /^\s*(?:<|>{2,}|={3,}|-{3,}|#{1,6}\s|question\s*:)/i

function readSources(text: string): Map<number, string> {
  const sources = new Map<number, string>()
  let open: number | null = null
  for (const line of text.split('\n')) {
    const start = sourceStart.exec(line)
    if (start) {
      open = Number(start[1])
      sources.set(open, start[2] ?? '')
    } else if (fence.test(line)) {
      open = null
    } else if (open !== null) {
      sources.set(open, `${sources.get(open) ?? ''}\n${line}`)
    }
  }
  return sources
}

function readQuestion(turn: string): string {
  const labeled = /question\s*:\s*([\s\S]*)$/i.exec(turn)?.[1]
  if (labeled) return labeled.trim()
  const paragraphs = turn
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '' && !fence.test(paragraph))
  return paragraphs.at(-1)?.trim() ?? turn.trim()
}

const brokeOff = /\bbroke off\b/

/** Reads a request as a model would: instructions, numbered sources from the user's turns, and the last question. */
export function readConversation(body: Record<string, unknown>): Conversation {
  const messages = readMessages(body)
  const users = messages.filter(({ role }) => role === 'user')
  const [before, last] = messages.slice(-2)
  const isBroken = before?.role === 'assistant' && brokeOff.test(last?.content ?? '')
  return {
    instructions: messages
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => content)
      .join('\n'),
    sources: readSources(users.map(({ content }) => content).join('\n')),
    question: readQuestion(users.at(isBroken ? -2 : -1)?.content ?? ''),
    partialAnswer: isBroken ? before.content : null,
  }
}
