import { useQuery } from '@tanstack/react-query'
import { texts } from '#texts/admin.ts'
import { PagedTable } from '#ui/PagedTable.tsx'
import { ListPending, ListRefused, refusalOf } from './list-states.tsx'
import { channelSummariesQuery, userSummariesQuery } from './queries.ts'
import { SummaryTable } from './SummaryTable.tsx'
import { UserName } from './UserName.tsx'
import type { HistoryState } from './use-history-view.ts'

interface Props {
  state: HistoryState
}

export function UserSummaries({ state: { view, turnTo, showChatsOf } }: Props) {
  const summaries = useQuery(userSummariesQuery(view))
  const refusal = refusalOf(summaries.error)
  if (refusal !== null) return <ListRefused words={refusal} />
  if (summaries.isPending) return <ListPending title="People" pageSize={view.pageSize} />
  return (
    <PagedTable
      title="People"
      list={summaries}
      page={view.page}
      onPage={turnTo}
      failed={texts.chatHistory.loadSummariesFailed}
    >
      {(rows) => (
        <SummaryTable
          caption="Chats of each person"
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

export function ChannelSummaries({ state: { view, turnTo, showChatsOf } }: Props) {
  const summaries = useQuery(channelSummariesQuery(view))
  const refusal = refusalOf(summaries.error)
  if (refusal !== null) return <ListRefused words={refusal} />
  if (summaries.isPending) return <ListPending title="Channels" pageSize={view.pageSize} />
  return (
    <PagedTable
      title="Channels"
      list={summaries}
      page={view.page}
      onPage={turnTo}
      failed={texts.chatHistory.loadSummariesFailed}
    >
      {(rows) => (
        <SummaryTable
          caption="Chats in each channel"
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
