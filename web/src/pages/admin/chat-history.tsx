import type { HistoryItem } from '@lyceum/contract/chat-history'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback, useRef, useState } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { ChosenUser } from '#features/chat-history/ChosenUser.tsx'
import { ExportButtons, ExportStatus } from '#features/chat-history/ExportPanel.tsx'
import { HistoryFilters, PageSize } from '#features/chat-history/HistoryFilters.tsx'
import { HistoryTable } from '#features/chat-history/HistoryTable.tsx'
import { ListPending, ListRefused, refusalOf } from '#features/chat-history/list-states.tsx'
import { historyPageQuery } from '#features/chat-history/queries.ts'
import { ChannelSummaries, UserSummaries } from '#features/chat-history/Summaries.tsx'
import { useExport } from '#features/chat-history/use-export.ts'
import {
  type HistoryState,
  type HistoryTab,
  useHistoryView,
} from '#features/chat-history/use-history-view.ts'
import { UserFilter } from '#features/users/UserFilter.tsx'
import { formatCount } from '#lib/format-count.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { banner } from '#ui/banner.ts'
import { PagedTable } from '#ui/PagedTable.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Tabs } from '#ui/Tabs.tsx'

const DetailsDialog = lazyComponent(async () => {
  const [{ DetailsDialog: Dialog }, { Reply }] = await Promise.all([
    import('#features/chat-history/DetailsDialog.tsx'),
    import('#features/chats/reply/Reply.tsx'),
  ])
  // Its sources are opened from the full chat.
  function drawReply(text: string) {
    return <Reply text={text} />
  }
  return (props: Omit<ComponentProps<typeof Dialog>, 'drawReply'>) => (
    <Dialog {...props} drawReply={drawReply} />
  )
})

const tabs: readonly { value: HistoryTab; label: string }[] = [
  { value: 'chats', label: 'Chats' },
  { value: 'users', label: 'By user' },
  { value: 'channels', label: 'By channel' },
]

function countWords(total: number, isNarrowed: boolean, isCut: boolean): string {
  const chats = formatCount(total, 'chat')
  if (!isNarrowed) return `${chats} in all`
  return isCut ? `${chats} found, and perhaps more` : `${chats} found`
}

function Chats({ state, person }: { state: HistoryState; person: (name: string | null) => ReactNode }) {
  const { view, isNarrowed, narrow, clear, turnTo } = state
  const maySearch = useCan('canSearchChatHistory')
  const mayExport = useCan('canExportChatHistory')
  const [opened, setOpened] = useState<HistoryItem | null>(null)
  const histories = useQuery(historyPageQuery(view))
  const file = useExport()
  const buttons = useRef<HTMLDivElement>(null)
  /** What is pressed goes away; the focus goes back to where it came from. */
  function backToButtons(action: () => void): void {
    buttons.current?.querySelector<HTMLElement>('button:enabled')?.focus()
    action()
  }
  const { data } = histories
  const refusal = refusalOf(histories.error)
  const close = useCallback(() => setOpened(null), [])
  const giveUp = useCallback(() => {
    banner.error(texts.chatHistory.partFailed)
    close()
  }, [close])
  if (refusal !== null) return <ListRefused words={refusal} />
  const isUserShown = view.userId !== null && !histories.isPlaceholderData
  return (
    <div className="flex flex-col gap-6">
      <HistoryFilters
        view={view}
        onNarrow={narrow}
        onClear={clear}
        isNarrowed={isNarrowed}
        maySearch={maySearch}
        person={person(isUserShown ? (data?.items[0]?.user.name ?? null) : null)}
      />
      {data?.isBuilding && (
        <Banner tone="info">
          The index for searching is still being built. Older messages are found once it is complete.
        </Banner>
      )}
      <p role="status" className="sr-only">
        {data === undefined || histories.isPlaceholderData
          ? ''
          : countWords(data.total, isNarrowed, data.isCut === true)}
      </p>
      {histories.isPending ? (
        <ListPending title="Chats" pageSize={view.pageSize} />
      ) : (
        <PagedTable
          title="Chats"
          list={histories}
          counted={(total) => countWords(total, isNarrowed, data?.isCut === true)}
          page={view.page}
          onPage={turnTo}
          failed={texts.chatHistory.loadFailed}
          toolbar={
            mayExport && (
              <ExportButtons
                ref={buttons}
                state={file.state}
                isEmpty={data === undefined || data.total === 0}
                onExport={(format) => file.begin(view, format)}
              />
            )
          }
          below={
            <ExportStatus
              state={file.state}
              onCancel={() => backToButtons(file.cancel)}
              onDismiss={() => backToButtons(file.putAway)}
            />
          }
        >
          {(items) => (
            <HistoryTable items={items} isNarrowed={isNarrowed} onClear={clear} onView={setOpened} />
          )}
        </PagedTable>
      )}
      <DetailsDialog open={opened !== null} onLoadError={giveUp} props={{ chat: opened, onClose: close }} />
    </div>
  )
}

export function ChatHistoryPage() {
  const state = useHistoryView()
  const { view, narrow, showTab } = state
  const canFindUsers = useCan('canManageUsers')
  function chooseUser(userId: string | null): void {
    narrow({ userId })
  }
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner className="top-28 px-4" />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <div className="flex flex-col gap-1">
          <h1 className="font-semibold text-2xl">Chat History</h1>
          <p className="max-w-prose text-muted text-sm">
            Everybody’s chats. Each list, search, look and export is entered in the audit log.
          </p>
        </div>
        <Tabs label="Chat history" tabs={tabs} value={view.tab} onChange={showTab}>
          {view.tab === 'chats' ? (
            <Chats
              state={state}
              person={(name) =>
                canFindUsers ? (
                  <UserFilter value={view.userId} name={name} onChange={chooseUser} />
                ) : (
                  <ChosenUser value={view.userId} name={name} onChange={chooseUser} />
                )
              }
            />
          ) : (
            <div className="flex flex-col gap-6">
              <div className="w-24">
                <PageSize view={view} onNarrow={narrow} />
              </div>
              {view.tab === 'users' ? <UserSummaries state={state} /> : <ChannelSummaries state={state} />}
            </div>
          )}
        </Tabs>
      </div>
    </div>
  )
}
