import { parseVisitorName } from '#lib/visitor-name.ts'
import {
  type ChatFilters,
  type FoundChat,
  type FoundChats,
  type FoundMessages,
  foundMaximum,
  type OwnHit,
  type OwnQuery,
} from './port.ts'
import type { Candidate, MessageText, RecordFilters, SearchRecords } from './search-records.ts'
import { containsTerms, getQueryTokens, makeExcerpt, parseTerms, scopeToken, type Term } from './tokens.ts'

const candidatesPerRead = 500
/** How many message texts are read at once. Kept low because some texts are long. */
const textsPerRead = 50
/** The maximum number of candidate messages to check, and of chats to read in a date range. */
const candidatesMaximum = 10_000
const chatsReadMaximum = 500
/** After this many candidates outside the date range, scan the chats in the range directly. */
const candidatesOutsideRangeMaximum = 2000
const messagesPerChat = 20
/** Up to this many matching users, query their chats one by one. Beyond it, scan chats and filter by owner. */
const usersQueriedSingly = 20

interface Search {
  records: SearchRecords
  terms: readonly Term[]
  filters: RecordFilters
}

interface Matches<T> {
  found: T[]
  isCut: boolean
}

function listTokens({ terms, filters }: Search): string[] {
  return [
    ...getQueryTokens(terms),
    ...[filters.userId, filters.channelId].flatMap((id) => (id === undefined ? [] : [scopeToken(id)])),
  ]
}

/** Reads the messages and yields those that contain all terms. */
async function* readMatching(
  { records, terms }: Search,
  seqs: readonly number[],
): AsyncGenerator<MessageText> {
  for (let at = 0; at < seqs.length; at += textsPerRead)
    for (const text of await records.readTexts(seqs.slice(at, at + textsPerRead)))
      if (containsTerms(text.content, terms)) yield text
}

/** Iterates index candidates, newest first, and skips chats that the filters exclude. */
async function* iterateCandidates(
  search: Search,
  known: Map<string, FoundChat | null>,
): AsyncGenerator<{ eligible: Candidate[]; isLast: boolean }> {
  const { records, filters } = search
  const tokens = listTokens(search)
  let before = Number.MAX_SAFE_INTEGER
  for (let checkedCount = 0; checkedCount < candidatesMaximum; checkedCount += candidatesPerRead) {
    const candidates =
      filters.chatId === undefined
        ? await records.listCandidates(tokens, before, candidatesPerRead)
        : await records.listMessages(filters.chatId, before, candidatesPerRead)
    before = candidates.at(-1)?.seq ?? 0
    const fresh = [...new Set(candidates.map(({ chatId }) => chatId))].filter((id) => !known.has(id))
    for (const id of fresh) known.set(id, null)
    if (fresh.length > 0)
      for (const chat of await records.filterChats(fresh, filters)) known.set(chat.id, chat)
    yield {
      eligible: candidates.filter(({ chatId }) => known.get(chatId)),
      isLast: candidates.length < candidatesPerRead,
    }
  }
}

/** One matching message per chat is enough. The others are read only if that one does not match. */
async function addMatchingChats(search: Search, candidates: readonly Candidate[], found: Set<string>) {
  let left = candidates.filter(({ chatId }) => !found.has(chatId))
  while (left.length > 0) {
    const firsts = new Map(left.toReversed().map(({ chatId, seq }) => [chatId, seq]))
    for await (const { chatId } of readMatching(search, [...firsts.values()])) found.add(chatId)
    left = left.filter(({ chatId, seq }) => !found.has(chatId) && firsts.get(chatId) !== seq)
  }
}

function hasDates({ filters }: Search): boolean {
  return filters.from !== undefined || filters.to !== undefined
}

async function findByText(search: Search): Promise<Matches<FoundChat>> {
  const known = new Map<string, FoundChat | null>()
  const found = new Set<string>()
  let checked = 0
  function chats() {
    return [...found].flatMap((id) => known.get(id) ?? [])
  }
  for await (const { eligible, isLast } of iterateCandidates(search, known)) {
    await addMatchingChats(search, eligible, found)
    if (isLast) return { found: chats(), isCut: false }
    checked += candidatesPerRead
    if (
      found.size >= foundMaximum ||
      (hasDates(search) && found.size === 0 && checked >= candidatesOutsideRangeMaximum)
    )
      break
  }
  return { found: chats(), isCut: true }
}

/**
 * Scans the chats in the date range directly, for common words whose newest matches are all outside the range.
 */
async function findByTime(search: Search): Promise<FoundChat[]> {
  const { records, filters } = search
  const chats = await records.listNewestChats(filters, Number.MAX_SAFE_INTEGER, chatsReadMaximum)
  const found = new Set<string>()
  for (let at = 0; at < chats.length; at += textsPerRead) {
    const candidates: Candidate[] = []
    for (const { id } of chats.slice(at, at + textsPerRead))
      candidates.push(...(await records.listMessages(id, Number.MAX_SAFE_INTEGER, messagesPerChat)))
    await addMatchingChats(search, candidates, found)
  }
  return chats.filter(({ id }) => found.has(id))
}

async function findByTitle(search: Search): Promise<Matches<FoundChat & { title: string }>> {
  const titled = await search.records.listTitles(listTokens(search), search.filters, foundMaximum + 1)
  return {
    found: titled.filter(({ title }) => containsTerms(title, search.terms)).slice(0, foundMaximum),
    isCut: titled.length > foundMaximum,
  }
}

/** Finds the chats of users whose name or email address contains all terms. A visitor is found by the whole name. */
async function findByUser({ records, terms, filters }: Search, words: string): Promise<Matches<FoundChat>> {
  const users = (await records.listUsers(parseVisitorName(words))).filter(
    ({ name, email }) => containsTerms(name, terms) || containsTerms(email, terms),
  )
  const ids = new Set(users.map(({ id }) => id))
  if (filters.userId !== undefined && !ids.has(filters.userId)) return { found: [], isCut: false }
  const owners = filters.userId === undefined ? [...ids] : [filters.userId]
  const found: FoundChat[] = []
  if (owners.length <= usersQueriedSingly) {
    for (const userId of owners)
      found.push(
        ...(await records.listNewestChats({ ...filters, userId }, Number.MAX_SAFE_INTEGER, foundMaximum + 1)),
      )
    return { found, isCut: found.length > foundMaximum }
  }
  const scanned = await records.listNewestChats(filters, Number.MAX_SAFE_INTEGER, candidatesMaximum)
  found.push(...scanned.filter(({ userId }) => ids.has(userId)).slice(0, foundMaximum))
  return { found, isCut: found.length >= foundMaximum || scanned.length >= candidatesMaximum }
}

export async function findChats(
  records: SearchRecords,
  words: string,
  filters: ChatFilters,
): Promise<FoundChats> {
  const terms = parseTerms(words)
  const isBuilding = await records.isBuilding()
  if (terms.length === 0) return { chats: [], isCut: false, isBuilding }
  const search = { records, terms, filters }
  const [text, title, byUser] = [
    await findByText(search),
    await findByTitle(search),
    await findByUser(search, words),
  ]
  const inRange = text.isCut && hasDates(search) ? await findByTime(search) : []
  const chats = new Map(
    [...text.found, ...inRange, ...title.found, ...byUser.found].map(
      ({ id, createdAt, updatedAt, messageCount }) => [id, { id, createdAt, updatedAt, messageCount }],
    ),
  )
  return { chats: [...chats.values()], isCut: text.isCut || title.isCut || byUser.isCut, isBuilding }
}

type Hit = Omit<OwnHit, 'excerpt'> & ({ seq: number } | { title: string })

async function findOwnTexts(search: Search): Promise<Matches<Hit>> {
  const known = new Map<string, FoundChat | null>()
  const found: Hit[] = []
  for await (const { eligible, isLast } of iterateCandidates(search, known)) {
    const seqs = eligible.map(({ seq }) => seq)
    for await (const { seq, id, chatId, role, createdAt } of readMatching(search, seqs))
      if (role !== 'system') found.push({ seq, chatId, messageId: id, role, at: createdAt })
    if (isLast) return { found, isCut: false }
    if (found.length >= foundMaximum) break
  }
  return { found: found.slice(0, foundMaximum), isCut: true }
}

async function findOwnTitles(search: Search): Promise<Matches<Hit>> {
  const { found, isCut } = await findByTitle(search)
  const hits = found.map(({ id, title, updatedAt }) => ({
    title,
    chatId: id,
    messageId: null,
    role: null,
    at: updatedAt,
  }))
  return { found: hits, isCut }
}

/** Makes excerpts, only for the hits of the current page. */
async function addExcerpts({ records, terms }: Search, page: readonly Hit[]): Promise<OwnHit[]> {
  const seqs = page.flatMap((hit) => ('seq' in hit ? [hit.seq] : []))
  const texts = seqs.length === 0 ? [] : await records.readTexts(seqs)
  const contents = new Map(texts.map(({ seq, content }) => [seq, content]))
  return page.flatMap((hit): OwnHit[] => {
    const { chatId, messageId, role, at } = hit
    const text = 'seq' in hit ? contents.get(hit.seq) : hit.title
    if (text === undefined) return []
    return [{ chatId, messageId, role, at, excerpt: makeExcerpt(text, terms, role === 'assistant') }]
  })
}

/** Puts the hits of a chat together, its title first. The order of the chats is that of their first hits. */
function groupByChat(hits: readonly Hit[]): Hit[] {
  return [...Map.groupBy(hits, ({ chatId }) => chatId).values()].flatMap((group) => [
    ...group.filter((hit) => 'title' in hit),
    ...group.filter((hit) => 'seq' in hit),
  ])
}

export async function findOwn(records: SearchRecords, query: OwnQuery): Promise<FoundMessages> {
  const { words, userId, channelId, limit, skip } = query
  const terms = parseTerms(words)
  const isBuilding = await records.isBuilding()
  if (terms.length === 0) return { hits: [], total: 0, isCut: false, isBuilding }
  const search = { records, terms, filters: { userId, channelId, memberId: userId } }
  const [texts, titles] = [await findOwnTexts(search), await findOwnTitles(search)]
  const hits = [...texts.found, ...titles.found].sort(
    (a, b) => b.at - a.at || ('seq' in b ? b.seq : 0) - ('seq' in a ? a.seq : 0),
  )
  return {
    hits: await addExcerpts(search, groupByChat(hits).slice(skip, skip + limit)),
    total: hits.length,
    isCut: texts.isCut || titles.isCut,
    isBuilding,
  }
}
