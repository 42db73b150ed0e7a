import type { Assistant, ChatModel, ThreadEvent } from './port.ts'

const mask = '••••••••'

/** Masks secrets in a text that arrives in pieces, even if a secret is split over several of them. */
export function createSecretFilter(secrets: readonly string[]) {
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length)
  let pending = ''

  function isUnfinished(at: number): boolean {
    const rest = pending.length - at
    return longestFirst.some((secret) => secret.length > rest && secret.startsWith(pending.slice(at)))
  }

  /** Returns the text up to the first place at which a secret may have begun, or all of it. */
  function release(isEnd: boolean): string {
    let released = ''
    let from = 0
    let at = 0
    while (at < pending.length && (isEnd || !isUnfinished(at))) {
      const secret = longestFirst.find((each) => pending.startsWith(each, at))
      if (secret === undefined) {
        at += 1
        continue
      }
      released += pending.slice(from, at) + mask
      at += secret.length
      from = at
    }
    released += pending.slice(from, at)
    pending = pending.slice(at)
    return released
  }

  return {
    push(text: string): string {
      pending += text
      return release(false)
    },
    end: () => release(true),
  }
}

async function* maskEvents<E extends ThreadEvent>(
  events: AsyncIterable<E>,
  secrets: readonly string[],
): AsyncGenerator<E | { type: 'text'; text: string }> {
  const filter = createSecretFilter(secrets)
  try {
    for await (const event of events) {
      const text =
        event.type === 'text' ? filter.push(event.text) : event.type === 'finish' ? filter.end() : ''
      if (text !== '') yield { type: 'text', text }
      if (event.type !== 'text') yield event
    }
  } catch (error) {
    const text = filter.end()
    if (text !== '') yield { type: 'text', text }
    throw error
  }
}

function maskChatModel(chat: ChatModel, secrets: readonly string[]): ChatModel {
  return {
    resolve: (label) => chat.resolve(label),
    withModelMap: (map) => maskChatModel(chat.withModelMap(map), secrets),
    reply: (request) => maskEvents(chat.reply(request), secrets),
  }
}

/**
 * Keeps this server's own secrets out of replies. An endpoint receives its key with every request, and a misconfigured
 * or hostile one may repeat it, which would store the key in a chat and show it to users.
 */
export function maskSecrets(assistant: Assistant, secrets: readonly string[]): Assistant {
  if (secrets.length === 0) return assistant
  const { chat, external } = assistant
  return {
    ...assistant,
    chat: chat && maskChatModel(chat, secrets),
    external: external && {
      find: (assistantId, signal) => external.find(assistantId, signal),
      reply: (request) => maskEvents(external.reply(request), secrets),
    },
  }
}
