import type { HistoryItem } from '@lyceum/contract/chat-history'
import { removeCitationMarks } from '@lyceum/contract/plain-text'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback, useRef, useState } from 'react'
import { useCan } from '#features/auth/use-can.ts'
import { ExportButtons, ExportStatus } from '#features/chat-history/ExportPanel.tsx'
import { HistoryFilters, PageSizeField } from '#features/chat-history/HistoryFilters.tsx'
import { HistoryTable } from '#features/chat-history/HistoryTable.tsx'
import { findRefusal, ListForbidden, ListLoading } from '#features/chat-history/list-states.tsx'
import { historyPageQuery } from '#features/chat-history/queries.ts'
import { SelectedUserField } from '#features/chat-history/SelectedUserField.tsx'
import { ChannelSummaries, UserSummaries } from '#features/chat-history/Summaries.tsx'
import { useExport } from '#features/chat-history/use-export.ts'
import {
  countFilters,
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
  // Sources can only be opened in the full chat, so their marks are left out.
  function renderReply(text: string) {
    return <Reply text={removeCitationMarks(text)} />
  }
  return (props: Omit<ComponentProps<typeof Dialog>, 'renderReply'>) => (
    <Dialog {...props} renderReply={renderReply} />
  )
})

const tabs: readonly { value: HistoryTab; label: string }[] = [
  { value: 'chats', label: 'Chats' },
  { value: 'users', label: 'By user' },
  { value: 'channels', label: 'By channel' },
]

function describeCount(total: number, isFiltered: boolean, isCut: boolean): string {
  const chats = formatCount(total, 'chat')
  if (!isFiltered) return `${chats} in total`
  return isCut ? `${chats} found, possibly more` : `${chats} found`
}

interface ChatsProps {
  state: HistoryState
  renderUserField: (userName: string | null) => ReactNode
}

function Chats({ state, renderUserField }: ChatsProps) {
  const { view, isFiltered, filter, clear, goToPage } = state
  const canSearch = useCan('canSearchChatHistory')
  const canExport = useCan('canExportChatHistory')
  const [openChat, setOpenChat] = useState<HistoryItem | null>(null)
  const chats = useQuery(historyPageQuery(view))
  const fileExport = useExport()
  const buttons = useRef<HTMLDivElement>(null)
  /** Moves the focus to the export buttons, because the clicked button will disappear. */
  function focusButtonsThen(run: () => void): void {
    buttons.current?.querySelector<HTMLElement>('button:enabled')?.focus()
    run()
  }
  const { data } = chats
  const refusal = findRefusal(chats.error)
  const close = useCallback(() => setOpenChat(null), [])
  const handleLoadError = useCallback(() => {
    banner.error(texts.chatHistory.loadComponentFailed)
    close()
  }, [close])
  if (refusal !== null) return <ListForbidden reason={refusal} />
  const hasUserName = view.userId !== null && !chats.isPlaceholderData
  return (
    <div className="flex flex-col gap-6">
      <HistoryFilters
        view={view}
        onFilter={filter}
        onClear={clear}
        isFiltered={isFiltered}
        canSearch={canSearch}
        userField={renderUserField(hasUserName ? (data?.items[0]?.user.name ?? null) : null)}
      />
      {data?.isBuilding && (
        <Banner tone="info">
          The search index is still being built. Older messages can be found once it is complete.
        </Banner>
      )}
      <p role="status" className="sr-only">
        {data === undefined || chats.isPlaceholderData
          ? ''
          : describeCount(data.total, isFiltered, data.isCut === true)}
      </p>
      {chats.isPending ? (
        <ListLoading title="Chats" pageSize={view.pageSize} />
      ) : (
        <PagedTable
          title="Chats"
          list={chats}
          formatTotal={(total) => describeCount(total, isFiltered, data?.isCut === true)}
          page={view.page}
          onPage={goToPage}
          failedText={texts.chatHistory.loadFailed}
          toolbar={
            canExport && (
              <ExportButtons
                ref={buttons}
                state={fileExport.state}
                isEmpty={data === undefined || data.total === 0}
                onExport={(format) => fileExport.start(view, format)}
              />
            )
          }
          belowTitle={
            <ExportStatus
              state={fileExport.state}
              onCancel={() => focusButtonsThen(fileExport.cancel)}
              onDismiss={() => focusButtonsThen(fileExport.dismiss)}
            />
          }
        >
          {(items) => (
            <HistoryTable
              items={items}
              sortBy={view.sortBy}
              search={view.search}
              filterCount={countFilters(view)}
              onClear={clear}
              onView={setOpenChat}
            />
          )}
        </PagedTable>
      )}
      <DetailsDialog
        open={openChat !== null}
        onLoadError={handleLoadError}
        props={{ chat: openChat, onClose: close }}
      />
    </div>
  )
}

export function ChatHistoryPage() {
  const state = useHistoryView()
  const { view, filter, showTab } = state
  const canSearchUsers = useCan('canManageUsers')
  function selectUser(userId: string | null): void {
    filter({ userId })
  }
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <div className="flex flex-col gap-1">
          <h1 className="font-semibold text-2xl">Chat History</h1>
          <p className="text-muted text-sm">
            The chats of all users. Viewing, searching and exporting them is recorded in the audit log.
          </p>
        </div>
        <Tabs label="Chat history" tabs={tabs} value={view.tab} onChange={showTab}>
          {view.tab === 'chats' ? (
            <Chats
              state={state}
              renderUserField={(name) =>
                canSearchUsers ? (
                  <UserFilter value={view.userId} name={name} onChange={selectUser} />
                ) : (
                  <SelectedUserField value={view.userId} name={name} onChange={selectUser} />
                )
              }
            />
          ) : (
            <div className="flex flex-col gap-6">
              <div className="w-24">
                <PageSizeField view={view} onFilter={filter} />
              </div>
              {view.tab === 'users' ? <UserSummaries state={state} /> : <ChannelSummaries state={state} />}
            </div>
          )}
        </Tabs>
      </div>
    </div>
  )
}
