import { attachmentsApi } from '@lyceum/contract/attachments'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { embeddingApi } from '@lyceum/contract/embedding'
import { sharedChatsApi } from '@lyceum/contract/shared-chats'
import { sourcesApi } from '@lyceum/contract/sources'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import {
  downloadAttachment,
  listUnsent,
  readAttachmentText,
  removeAttachment,
} from './attachments/attachments.ts'
import { uploadAttachment } from './attachments/upload-attachment.ts'
import {
  createChat,
  deleteOwnChat,
  followOwnReply,
  getConversation,
  listOwnChats,
  listRecentOwnChats,
  pinOwnChat,
  presentFinishedReply,
  renameOwnChat,
  stopOwnReply,
} from './chats.ts'
import { findDeletedSources } from './deleted-sources.ts'
import { exportChat } from './export-chat.ts'
import { rateReply } from './messages/rate-reply.ts'
import { continueReply, editMessage, regenerateReply, sendMessage } from './messages/send-message.ts'
import { showVersion } from './messages/show-version.ts'
import { canStillFollow } from './replies/reader-access.ts'
import { previewForAllChannels, previewInChannel } from './retention/retention.ts'
import { searchChats } from './search-chats.ts'
import { readSharedChat } from './sharing/read-shared-chat.ts'
import { getShare, revokeShare, shareChat } from './sharing/share-chat.ts'
import { getStarters, getVisitorStarters } from './starters/starters.ts'

function attachmentsRoutes(http: Http, deps: Deps): void {
  http.serve(attachmentsApi.list, ({ actor, params }) => listUnsent(deps, actor, params))
  http.serve(attachmentsApi.upload, ({ actor, params, file }) => uploadAttachment(deps, actor, params, file))
  http.serve(attachmentsApi.remove, ({ actor, params }) => removeAttachment(deps, actor, params))
  http.serve(attachmentsApi.download, ({ actor, params }) => downloadAttachment(deps, actor, params))
  http.serve(attachmentsApi.text, ({ actor, params, query }) =>
    readAttachmentText(deps, actor, params, query.start),
  )
}

export function chatsRoutes(http: Http, deps: Deps): void {
  http.serve(chatsApi.list, ({ actor, params, query }) => listOwnChats(deps, actor, params.channelId, query))
  http.serve(chatsApi.create, ({ actor, params }) => createChat(deps, actor, params.channelId))
  http.serve(chatsApi.starters, ({ actor, params }) => getStarters(deps, actor, params.channelId))
  http.serve(embeddingApi.starters, ({ params }) => getVisitorStarters(deps, params.channelId))
  http.serve(sourcesApi.listDeleted, ({ actor, params, query }) =>
    findDeletedSources(deps, actor, params.channelId, query.documentIds.split(',')),
  )
  http.serve(chatsApi.get, ({ actor, params, query }) => getConversation(deps, actor, params, query))
  http.serve(chatsApi.rename, ({ actor, params, body }) => renameOwnChat(deps, actor, params, body.title))
  http.serve(chatsApi.pin, ({ actor, params, body }) => pinOwnChat(deps, actor, params, body.isPinned))
  http.serve(chatsApi.remove, ({ actor, params }) => deleteOwnChat(deps, actor, params))
  http.serve(chatsApi.stop, ({ actor, params }) => stopOwnReply(deps, actor, params))
  http.serve(chatsApi.showVersion, ({ actor, params }) => showVersion(deps, actor, params))
  http.serve(chatsApi.rate, ({ actor, params, body }) => rateReply(deps, actor, params, body))
  http.serve(chatsApi.export, ({ actor, params, query }) => exportChat(deps, actor, params, query.format))
  http.serve(chatsApi.recent, ({ actor }) => listRecentOwnChats(deps, actor))
  http.serve(chatsApi.search, ({ actor, query }) => searchChats(deps, actor, query))
  http.serveEvents(chatsApi.send, {
    start: ({ actor, params, body, idempotencyKey }) =>
      sendMessage(deps, { actor, address: params, idempotencyKey }, body),
    reply: ({ actor, params }, last) => presentFinishedReply(deps, actor, params, last),
    recheck: ({ actor, params }) => canStillFollow(deps, { actor, chatId: params.chatId }),
  })
  http.serveEvents(chatsApi.edit, {
    start: ({ actor, params, body, idempotencyKey }) =>
      editMessage(deps, { actor, address: params, idempotencyKey }, params.messageId, body.message),
    reply: ({ actor, params }, last) => presentFinishedReply(deps, actor, params, last),
    recheck: ({ actor, params }) => canStillFollow(deps, { actor, chatId: params.chatId }),
  })
  http.serveEvents(chatsApi.regenerate, {
    start: ({ actor, params, idempotencyKey }) =>
      regenerateReply(deps, { actor, address: params, idempotencyKey }, params.messageId),
    reply: ({ actor, params }, last) => presentFinishedReply(deps, actor, params, last),
    recheck: ({ actor, params }) => canStillFollow(deps, { actor, chatId: params.chatId }),
  })
  http.serveEvents(chatsApi.continue, {
    start: ({ actor, params, idempotencyKey }) =>
      continueReply(deps, { actor, address: params, idempotencyKey }, params.messageId),
    reply: ({ actor, params }, last) => presentFinishedReply(deps, actor, params, last),
    recheck: ({ actor, params }) => canStillFollow(deps, { actor, chatId: params.chatId }),
  })
  http.serveEvents(chatsApi.events, {
    start: ({ actor, params, query, lastEventId }) =>
      followOwnReply(deps, actor, params, Math.max(query.after, lastEventId)),
    reply: ({ actor, params }, last) => presentFinishedReply(deps, actor, params, last),
    recheck: ({ actor, params }) => canStillFollow(deps, { actor, chatId: params.chatId }),
  })
  attachmentsRoutes(http, deps)
  http.serve(sharedChatsApi.get, ({ actor, params }) => getShare(deps, actor, params))
  http.serve(sharedChatsApi.share, ({ actor, params }) => shareChat(deps, actor, params))
  http.serve(sharedChatsApi.revoke, ({ actor, params }) => revokeShare(deps, actor, params))
  http.serve(sharedChatsApi.read, ({ actor, params, query }) => readSharedChat(deps, actor, params, query))
  http.serve(conversationsApi.previewRetention, ({ query }) => previewForAllChannels(deps, query.days))
  http.serve(channelsApi.previewRetention, ({ actor, params, query }) =>
    previewInChannel(deps, actor, params.id, query.days),
  )
}
