import { useSearchParams } from 'wouter'
import { useCan } from '#features/auth/use-can.ts'
import { dayOf, oneOf, positiveOf } from '#lib/address-values.ts'

const historyTabs = ['chats', 'users', 'channels'] as const
export type HistoryTab = (typeof historyTabs)[number]

export const pageSizes = [10, 20, 50, 100] as const
const usualSize = 20

export const sortFields = ['createdAt', 'updatedAt', 'messageCount'] as const
export const sortOrders = ['desc', 'asc'] as const

/** What the list of chats is narrowed to. */
interface HistoryFilter {
  /** Always empty for who may not search. */
  search: string
  userId: string | null
  channelId: string | null
  chatId: string
  /** Days in the viewer's zone, 'YYYY-MM-DD', both included. */
  from: string | null
  to: string | null
}

/** What the screen shows; it is in its address. */
export interface HistoryView extends HistoryFilter {
  tab: HistoryTab
  /** From 1, of the tab. */
  page: number
  pageSize: number
  sortBy: (typeof sortFields)[number]
  sortOrder: (typeof sortOrders)[number]
}

const nothing: HistoryFilter = {
  search: '',
  userId: null,
  channelId: null,
  chatId: '',
  from: null,
  to: null,
}

/** How many filters narrow the list, besides the words that are searched for. */
export function filtersSet({ userId, channelId, chatId, from, to }: HistoryFilter): number {
  return [userId, channelId, chatId, from, to].filter((value) => value !== null && value !== '').length
}

const lastPage = 100_000
const longestSearch = 200
const longestId = 64

function pageOf(text: string | null): number {
  const page = positiveOf(text) ?? 1
  return page > lastPage ? 1 : page
}

/** Without what no id holds: pasted ones bring it along. */
function idOf(text: string | null): string {
  return (text ?? '')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, longestId)
}

function viewOf(params: URLSearchParams, maySearch: boolean): HistoryView {
  return {
    tab: oneOf(historyTabs, params.get('tab')) ?? 'chats',
    page: pageOf(params.get('page')),
    pageSize: pageSizes.find((size) => size === Number(params.get('size'))) ?? usualSize,
    sortBy: oneOf(sortFields, params.get('sort')) ?? 'createdAt',
    sortOrder: oneOf(sortOrders, params.get('order')) ?? 'desc',
    search: maySearch ? (params.get('search') ?? '').slice(0, longestSearch) : '',
    userId: idOf(params.get('user')) || null,
    channelId: idOf(params.get('channel')) || null,
    chatId: idOf(params.get('chat')),
    from: dayOf(params.get('from')),
    to: dayOf(params.get('to')),
  }
}

/** What is usual is left out. */
function paramsOf(view: HistoryView): URLSearchParams {
  const given = {
    tab: view.tab === 'chats' ? null : view.tab,
    search: view.search,
    user: view.userId,
    channel: view.channelId,
    chat: view.chatId,
    from: view.from,
    to: view.to,
    sort: view.sortBy === 'createdAt' ? null : view.sortBy,
    order: view.sortOrder === 'desc' ? null : view.sortOrder,
    size: view.pageSize === usualSize ? null : String(view.pageSize),
    page: view.page > 1 ? String(view.page) : null,
  }
  const entries = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return new URLSearchParams(entries)
}

export function useHistoryView() {
  const [params, setParams] = useSearchParams()
  const maySearch = useCan('canSearchChatHistory')
  const view = viewOf(params, maySearch)
  function show(next: HistoryView, replace = false): void {
    setParams(paramsOf(next), { replace })
  }

  return {
    view,
    isNarrowed: view.search !== '' || filtersSet(view) > 0,
    /** What is looked for changed: it begins at the first page. */
    narrow: (change: Partial<Omit<HistoryView, 'page' | 'tab'>>): void => {
      // Words that are typed on are one search, and one step back.
      const isTypedOn =
        (view.search !== '' && Boolean(change.search)) || (view.chatId !== '' && Boolean(change.chatId))
      show({ ...view, ...change, page: 1 }, isTypedOn)
    },
    clear: (): void => show({ ...view, ...nothing, page: 1 }),
    turnTo: (page: number): void => show({ ...view, page }),
    showTab: (tab: HistoryTab): void => show({ ...view, tab, page: 1 }),
    /** All chats of one person or channel, as many as its summary counts. */
    showChatsOf: (whose: { userId: string } | { channelId: string }): void =>
      show({ ...view, ...nothing, ...whose, tab: 'chats', page: 1 }),
  }
}

export type HistoryState = ReturnType<typeof useHistoryView>
