import type { SessionUser } from '@lyceum/contract/auth'
import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import { Conversation } from '#features/chats/Conversation.tsx'
import { TurnsProvider } from '#features/chats/turns/TurnsProvider.tsx'
import type { FakeApi } from './fake-api.ts'
import { fakeApi } from './fake-transport.ts'
import { type RenderedPage, renderPage } from './render-page.tsx'
import { aChannel } from './samples.ts'
import { aUser, signIn } from './users.ts'

interface RenderedChat extends RenderedPage {
  api: FakeApi
  /** The chat and its channel on the server; tests can change them. */
  state: { messages: ChatMessage[]; channel: Channel }
}

/** Renders a chat as on the channel screen, with a fake server. */
export function renderChat(...messages: ChatMessage[]): RenderedChat {
  return renderChatOf(aUser(), aChannel(), messages)
}

export function renderChatAs(sessionUser: SessionUser, ...messages: ChatMessage[]): RenderedChat {
  return renderChatOf(sessionUser, aChannel(), messages)
}

export function renderChatIn(channel: Channel, ...messages: ChatMessage[]): RenderedChat {
  return renderChatOf(aUser(), channel, messages)
}

export function renderChatOf(
  sessionUser: SessionUser,
  channel: Channel,
  messages: ChatMessage[],
): RenderedChat {
  signIn(sessionUser)
  const state = { messages, channel }
  const api = fakeApi()
    .on(channelsApi.get, () => state.channel)
    .on(chatsApi.list, () => ({ chats: [], total: 0, totalPages: 0 }))
    .on(chatsApi.get, ({ params }) => ({
      chatId: params.chatId,
      title: null,
      messages: state.messages,
      before: null,
      total: state.messages.length,
    }))
  const page = renderPage(
    <TurnsProvider userId="p1" channelId="c1">
      <Conversation
        userId="p1"
        channelId="c1"
        chatId="a"
        isNew={false}
        onMissing={() => undefined}
        onOpenCitation={() => undefined}
      />
    </TurnsProvider>,
  )
  return { ...page, api, state }
}
