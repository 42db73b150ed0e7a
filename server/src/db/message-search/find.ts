import {
  type ChatFilters,
  type FoundChat,
  type FoundChats,
  type FoundMessages,
  foundMaximum,
  type OwnHit,
  type OwnQuery,
} from './port.ts'
import type { Candidate, MessageText, Shelf, ShelfFilters } from './shelf.ts'
import { askedTokens, excerptOf, holds, scopeToken, type Term, termsOf } from './words.ts'

const batch = 500
/** Messages that are read at once: some are long. */
const textsAtOnce = 50
/** How many messages with the right tokens are looked at, and how many chats of a time. */
const candidatesMaximum = 10_000
const walkedMaximum = 500
/** So many of the newest messages in chats of another time, and that time is gone through itself. */
const enoughOfAnotherTime = 2000
const walkedMessages = 20
/** So many people are asked one by one for their chats; with more, chats are asked for their people. */
const peopleOneByOne = 20

interface Search {
  shelf: Shelf
  terms: readonly Term[]
  filters: ShelfFilters
}

interface Found<T> {
  found: T[]
  isCut: boolean
}

function tokensFor({ terms, filters }: Search): string[] {
  return [
    ...askedTokens(terms),
    ...[filters.userId, filters.channelId].flatMap((id) => (id === undefined ? [] : [scopeToken(id)])),
  ]
}

/** Those of the messages that hold the terms. */
async function* verified({ shelf, terms }: Search, seqs: readonly number[]): AsyncGenerator<MessageText> {
  for (let at = 0; at < seqs.length; at += textsAtOnce)
    for (const text of await shelf.texts(seqs.slice(at, at + textsAtOnce)))
      if (holds(text.content, terms)) yield text
}

/** Goes through what the index offers, newest first, leaving out what the filters do. */
async function* offers(
  search: Search,
  known: Map<string, FoundChat | null>,
): AsyncGenerator<{ offered: Candidate[]; isLast: boolean }> {
  const { shelf, filters } = search
  const tokens = tokensFor(search)
  let before = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < candidatesMaximum; looked += batch) {
    const candidates =
      filters.chatId === undefined
        ? await shelf.candidates(tokens, before, batch)
        : await shelf.messagesOf(filters.chatId, before, batch)
    before = candidates.at(-1)?.seq ?? 0
    const fresh = [...new Set(candidates.map(({ chatId }) => chatId))].filter((id) => !known.has(id))
    for (const id of fresh) known.set(id, null)
    if (fresh.length > 0) for (const chat of await shelf.chats(fresh, filters)) known.set(chat.id, chat)
    yield { offered: candidates.filter(({ chatId }) => known.get(chatId)), isLast: candidates.length < batch }
  }
}

/** One message of each chat is enough: the others are read only where that one does not hold the terms. */
async function holdingChats(search: Search, offered: readonly Candidate[], found: Set<string>) {
  let left = offered.filter(({ chatId }) => !found.has(chatId))
  while (left.length > 0) {
    const firsts = new Map(left.toReversed().map(({ chatId, seq }) => [chatId, seq]))
    for await (const { chatId } of verified(search, [...firsts.values()])) found.add(chatId)
    left = left.filter(({ chatId, seq }) => !found.has(chatId) && firsts.get(chatId) !== seq)
  }
}

function hasDates({ filters }: Search): boolean {
  return filters.from !== undefined || filters.to !== undefined
}

async function byText(search: Search): Promise<Found<FoundChat>> {
  const known = new Map<string, FoundChat | null>()
  const found = new Set<string>()
  let looked = 0
  function chats() {
    return [...found].flatMap((id) => known.get(id) ?? [])
  }
  for await (const { offered, isLast } of offers(search, known)) {
    await holdingChats(search, offered, found)
    if (isLast) return { found: chats(), isCut: false }
    looked += batch
    if (found.size >= foundMaximum || (hasDates(search) && found.size === 0 && looked >= enoughOfAnotherTime))
      break
  }
  return { found: chats(), isCut: true }
}

/**
 * Where the newest messages with common words are too new for the dates that were asked for: the chats of that time
 * are looked at themselves.
 */
async function byTime(search: Search): Promise<FoundChat[]> {
  const { shelf, filters } = search
  const chats = await shelf.newestChats(filters, Number.MAX_SAFE_INTEGER, walkedMaximum)
  const found = new Set<string>()
  for (let at = 0; at < chats.length; at += textsAtOnce) {
    const offered: Candidate[] = []
    for (const { id } of chats.slice(at, at + textsAtOnce))
      offered.push(...(await shelf.messagesOf(id, Number.MAX_SAFE_INTEGER, walkedMessages)))
    await holdingChats(search, offered, found)
  }
  return chats.filter(({ id }) => found.has(id))
}

async function byTitle(search: Search): Promise<Found<FoundChat & { title: string }>> {
  const titled = await search.shelf.titles(tokensFor(search), search.filters, foundMaximum + 1)
  return {
    found: titled.filter(({ title }) => holds(title, search.terms)).slice(0, foundMaximum),
    isCut: titled.length > foundMaximum,
  }
}

/** Chats of people whose name or address holds the terms. */
async function byPerson({ shelf, terms, filters }: Search): Promise<Found<FoundChat>> {
  const people = (await shelf.people()).filter(({ name, email }) => holds(name, terms) || holds(email, terms))
  const ids = new Set(people.map(({ id }) => id))
  if (filters.userId !== undefined && !ids.has(filters.userId)) return { found: [], isCut: false }
  const owners = filters.userId === undefined ? [...ids] : [filters.userId]
  const found: FoundChat[] = []
  if (owners.length <= peopleOneByOne) {
    for (const userId of owners)
      found.push(
        ...(await shelf.newestChats({ ...filters, userId }, Number.MAX_SAFE_INTEGER, foundMaximum + 1)),
      )
    return { found, isCut: found.length > foundMaximum }
  }
  const walked = await shelf.newestChats(filters, Number.MAX_SAFE_INTEGER, candidatesMaximum)
  found.push(...walked.filter(({ userId }) => ids.has(userId)).slice(0, foundMaximum))
  return { found, isCut: found.length >= foundMaximum || walked.length >= candidatesMaximum }
}

export async function findChats(shelf: Shelf, words: string, filters: ChatFilters): Promise<FoundChats> {
  const terms = termsOf(words)
  const isBuilding = await shelf.isBuilding()
  if (terms.length === 0) return { chats: [], isCut: false, isBuilding }
  const search = { shelf, terms, filters }
  const [text, title, person] = [await byText(search), await byTitle(search), await byPerson(search)]
  const inTime = text.isCut && hasDates(search) ? await byTime(search) : []
  const chats = new Map(
    [...text.found, ...inTime, ...title.found, ...person.found].map(
      ({ id, createdAt, updatedAt, messageCount }) => [id, { id, createdAt, updatedAt, messageCount }],
    ),
  )
  return { chats: [...chats.values()], isCut: text.isCut || title.isCut || person.isCut, isBuilding }
}

type Place = Omit<OwnHit, 'excerpt'> & ({ seq: number } | { title: string })

async function ownTexts(search: Search): Promise<Found<Place>> {
  const known = new Map<string, FoundChat | null>()
  const found: Place[] = []
  for await (const { offered, isLast } of offers(search, known)) {
    const seqs = offered.map(({ seq }) => seq)
    for await (const { seq, id, chatId, role, createdAt } of verified(search, seqs))
      if (role !== 'system') found.push({ seq, chatId, messageId: id, role, at: createdAt })
    if (isLast) return { found, isCut: false }
    if (found.length >= foundMaximum) break
  }
  return { found: found.slice(0, foundMaximum), isCut: true }
}

async function ownTitles(search: Search): Promise<Found<Place>> {
  const { found, isCut } = await byTitle(search)
  const places = found.map(({ id, title, updatedAt }) => ({
    title,
    chatId: id,
    messageId: null,
    role: null,
    at: updatedAt,
  }))
  return { found: places, isCut }
}

/** Excerpts are cut for the page that is shown alone. */
async function withExcerpts({ shelf, terms }: Search, places: readonly Place[]): Promise<OwnHit[]> {
  const seqs = places.flatMap((place) => ('seq' in place ? [place.seq] : []))
  const texts = seqs.length === 0 ? [] : await shelf.texts(seqs)
  const contents = new Map(texts.map(({ seq, content }) => [seq, content]))
  return places.flatMap((place): OwnHit[] => {
    const { chatId, messageId, role, at } = place
    const text = 'seq' in place ? contents.get(place.seq) : place.title
    return text === undefined ? [] : [{ chatId, messageId, role, at, excerpt: excerptOf(text, terms) }]
  })
}

export async function findOwn(shelf: Shelf, query: OwnQuery): Promise<FoundMessages> {
  const { words, userId, channelId, limit, skip } = query
  const terms = termsOf(words)
  const isBuilding = await shelf.isBuilding()
  if (terms.length === 0) return { hits: [], total: 0, isCut: false, isBuilding }
  const search = { shelf, terms, filters: { userId, channelId, memberId: userId } }
  const [texts, titles] = [await ownTexts(search), await ownTitles(search)]
  const places = [...texts.found, ...titles.found].sort(
    (a, b) => b.at - a.at || ('seq' in b ? b.seq : 0) - ('seq' in a ? a.seq : 0),
  )
  return {
    hits: await withExcerpts(search, places.slice(skip, skip + limit)),
    total: places.length,
    isCut: texts.isCut || titles.isCut,
    isBuilding,
  }
}
