import { useQuery } from '@tanstack/react-query'
import { texts } from '#texts/admin.ts'
import { PagedTable } from '#ui/PagedTable.tsx'
import { findRefusal, ListForbidden, ListLoading } from './list-states.tsx'
import { channelSummariesQuery, userSummariesQuery } from './queries.ts'
import { SummaryTable } from './SummaryTable.tsx'
import { UserName } from './UserName.tsx'
import type { HistoryState } from './use-history-view.ts'

interface Props {
  state: HistoryState
}

export function UserSummaries({ state: { view, goToPage, showChatsOf } }: Props) {
  const summaries = useQuery(userSummariesQuery(view))
  const refusal = findRefusal(summaries.error)
  if (refusal !== null) return <ListForbidden reason={refusal} />
  if (summaries.isPending) return <ListLoading title="Users" pageSize={view.pageSize} />
  return (
    <PagedTable
      title="Users"
      list={summaries}
      page={view.page}
      onPage={goToPage}
      failedText={texts.chatHistory.loadSummariesFailed}
    >
      {(rows) => (
        <SummaryTable
          caption="Chats by user"
          header="User"
          rows={rows}
          cell={({ user }) => <UserName user={user} />}
          nameOf={({ user }) => user.name}
          idOf={({ user }) => user._id}
          onShow={(userId) => showChatsOf({ userId })}
        />
      )}
    </PagedTable>
  )
}

export function ChannelSummaries({ state: { view, goToPage, showChatsOf } }: Props) {
  const summaries = useQuery(channelSummariesQuery(view))
  const refusal = findRefusal(summaries.error)
  if (refusal !== null) return <ListForbidden reason={refusal} />
  if (summaries.isPending) return <ListLoading title="Channels" pageSize={view.pageSize} />
  return (
    <PagedTable
      title="Channels"
      list={summaries}
      page={view.page}
      onPage={goToPage}
      failedText={texts.chatHistory.loadSummariesFailed}
    >
      {(rows) => (
        <SummaryTable
          caption="Chats by channel"
          header="Channel"
          rows={rows}
          cell={({ channel }) => <bdi className="wrap-anywhere line-clamp-2">{channel.name}</bdi>}
          nameOf={({ channel }) => channel.name}
          idOf={({ channel }) => channel._id}
          onShow={(channelId) => showChatsOf({ channelId })}
        />
      )}
    </PagedTable>
  )
}
