import { describe, expect, it } from 'vitest'
import { endpoints } from './api.ts'

/** Every call with its access. A changed permission shows up in review as one changed line. */
const table = `
POST /auth/login public
POST /auth/verify-2fa public
POST /auth/resend-code public
POST /auth/register public
POST /auth/forgot-password public
POST /auth/reset-password public
GET /auth/setup public
GET /auth/delivery public
GET /auth/me signed-in
POST /auth/logout signed-in
GET /auth/sessions signed-in
DELETE /auth/sessions/:id signed-in
DELETE /auth/sessions signed-in
GET /auth/trusted-browsers signed-in
DELETE /auth/trusted-browsers/:id signed-in
GET /invitations/verify/:token public
GET /invitations canManageUsers
POST /invitations canCreateUsers
POST /invitations/bulk canCreateUsers
POST /invitations/:id/resend canCreateUsers
DELETE /invitations/:id canCreateUsers
GET /users canManageUsers
GET /users/:id canManageUsers
PUT /users/:id signed-in
POST /users/:id/change-password signed-in
DELETE /users/:id canDeleteUsers
DELETE /users/:id/sessions canEditUsers
PUT /users/:id/active system-admin
GET /users/:id/permissions system-admin
PUT /users/:id/permissions system-admin
PUT /users/:id/system-admin system-admin
GET /api-keys signed-in
POST /api-keys signed-in
DELETE /api-keys/:id signed-in
GET /users/:userId/api-keys canManageUsers
POST /users/:userId/api-keys system-admin
DELETE /users/:userId/api-keys/:id canEditUsers
POST /connected-programs/request signed-in
POST /connected-programs signed-in
GET /connected-programs signed-in
DELETE /connected-programs/:id signed-in
GET /users/:userId/connected-programs canManageUsers
DELETE /users/:userId/connected-programs/:id canEditUsers
POST /oauth/register public
POST /oauth/token public
POST /oauth/revoke public
POST /settings/force-2fa-reverification/:userId canForce2FAReVerification
GET /settings/users/:userId/2fa-settings canManageUsers
PUT /settings/users/:userId/2fa-settings canManageUsers
DELETE /settings/users/:userId/2fa-settings canManageUsers
GET /channels signed-in
GET /channels/:id signed-in
POST /channels canCreateChannels
PUT /channels/:id canEditChannels
DELETE /channels/:id canDeleteChannels
PUT /channels/:id/archive canEditChannels
GET /channels/:id/retention/preview canEditChannels
GET /channels/:id/users canManageUsers
POST /channels/:id/users canManageUsers
DELETE /channels/:id/users canManageUsers
PUT /channels/:id/users/:userId canManageUsers
PUT /channels/:id/starters signed-in
POST /channels/:id/wallpaper signed-in
DELETE /channels/:id/wallpaper signed-in
GET /channels/:id/wallpaper signed-in
GET /groups canManageUsers
POST /groups canManageUsers
GET /groups/:id canManageUsers
PUT /groups/:id canManageUsers
GET /groups/:id/losses canManageUsers
DELETE /groups/:id canManageUsers
GET /groups/:id/members canManageUsers
POST /groups/:id/members canManageUsers
DELETE /groups/:id/members canManageUsers
POST /groups/:id/channels canManageUsers
DELETE /groups/:id/channels/:channelId canManageUsers
PUT /groups/:id/permissions system-admin
GET /users/:id/access canManageUsers
GET /channels/:id/groups canManageUsers
GET /documents canManageDocuments
GET /documents/storage canManageDocuments
GET /documents/:id canManageDocuments
POST /documents canUploadDocuments
POST /documents/bulk canManageDocuments
GET /documents/:id/versions canManageDocuments
POST /documents/:id/versions canUploadDocuments
PUT /documents/:id/approve canApproveDocuments
PUT /documents/:id/reject canRejectDocuments
POST /documents/:id/reject/undo canRejectDocuments
POST /documents/:id/reindex canReindexDocuments
GET /documents/:id/download signed-in
GET /documents/:id/text signed-in
DELETE /documents/:id canDeleteDocuments
POST /documents/opensearch/cleanup-orphaned canManageDocuments
POST /channels/:id/proposals signed-in
GET /channels/:id/proposals signed-in
DELETE /channels/:id/proposals/:documentId signed-in
GET /channels/:id/questions canManageDocuments
POST /channels/:id/questions canManageDocuments
POST /channels/:id/questions/run canManageDocuments
GET /channels/:id/questions/runs/:runId canManageDocuments
POST /channels/:id/questions/try canManageDocuments
PUT /channels/:id/questions/:questionId canManageDocuments
POST /documents/:id/questions/compare canManageDocuments
DELETE /channels/:id/questions/:questionId canManageDocuments
GET /chat/:channelId/chats signed-in
POST /chat/:channelId/chats signed-in
GET /chat/:channelId/starters signed-in
GET /chat/:channelId/chats/:chatId signed-in
POST /chat/:channelId/chats/:chatId/messages signed-in
GET /chat/:channelId/chats/:chatId/messages/:messageId/events signed-in
POST /chat/:channelId/chats/:chatId/messages/:messageId/stop signed-in
POST /chat/:channelId/chats/:chatId/messages/:messageId/regenerate signed-in
POST /chat/:channelId/chats/:chatId/messages/:messageId/continue signed-in
POST /chat/:channelId/chats/:chatId/messages/:messageId/show signed-in
PUT /chat/:channelId/chats/:chatId/messages/:messageId/feedback signed-in
POST /chat/:channelId/chats/:chatId/messages/:messageId/edit signed-in
PUT /chat/:channelId/chats/:chatId signed-in
PUT /chat/:channelId/chats/:chatId/pin signed-in
GET /chat/:channelId/chats/:chatId/export signed-in
DELETE /chat/:channelId/chats/:chatId signed-in
GET /chat/recent signed-in
GET /chat/search signed-in
GET /chat/:channelId/deleted-sources signed-in
GET /chat/:channelId/chats/:chatId/share signed-in
PUT /chat/:channelId/chats/:chatId/share signed-in
DELETE /chat/:channelId/chats/:chatId/share signed-in
GET /chat/:channelId/shared/:shareId signed-in
GET /chat/:channelId/chats/:chatId/attachments signed-in
POST /chat/:channelId/chats/:chatId/attachments signed-in
DELETE /chat/:channelId/chats/:chatId/attachments/:attachmentId signed-in
GET /chat/:channelId/chats/:chatId/attachments/:attachmentId/download signed-in
GET /chat/:channelId/chats/:chatId/attachments/:attachmentId/text signed-in
GET /assistants/status canManageChannels
PUT /assistants/model-map canManageSettings
GET /assistants/resolve canManageChannels
GET /assistants/presets canManageChannels
POST /assistants/presets canManageSettings
POST /assistants/presets/try canManageSettings
PUT /assistants/presets/:id canManageSettings
DELETE /assistants/presets/:id canManageSettings
GET /admin/chat-histories canViewChatHistory
GET /admin/users/:id/chat-histories canViewChatHistory
GET /admin/channels/:id/chat-histories canViewChatHistory
GET /admin/chat-histories/search canSearchChatHistory
GET /admin/chat-histories/export canExportChatHistory
GET /admin/chat-histories/:id canViewChatHistory
GET /admin/chat-summaries/users canViewChatHistory
GET /admin/chat-summaries/channels canViewChatHistory
GET /global-settings canAccessAdminPanel
PUT /global-settings canManageSettings
POST /global-settings/dashboard-background canManageSettings
DELETE /global-settings/dashboard-background canManageSettings
GET /global-settings/dashboard-background signed-in
GET /settings/conversations canAccessAdminPanel
PUT /settings/conversations/notice canManageSettings
PUT /settings/conversations/retention canManageSettings
GET /settings/conversations/retention/preview canManageSettings
GET /settings/connections system-admin
PUT /settings/connections/model system-admin
POST /settings/connections/model/test system-admin
PUT /settings/connections/embeddings system-admin
POST /settings/connections/embeddings/test system-admin
PUT /settings/connections/reranking system-admin
POST /settings/connections/reranking/test system-admin
PUT /settings/connections/mail system-admin
POST /settings/connections/mail/test system-admin
POST /settings/connections/:part/check system-admin
DELETE /settings/connections/:part system-admin
GET /sign-in/issuers public
POST /sign-in/issuers/:issuerId/start public
POST /sign-in/issuers/:issuerId/finish public
POST /sign-in/issuers/:issuerId/backchannel-logout public
GET /settings/single-sign-on system-admin
POST /settings/single-sign-on/issuers system-admin
PUT /settings/single-sign-on/issuers/:issuerId system-admin
DELETE /settings/single-sign-on/issuers/:issuerId system-admin
POST /settings/single-sign-on/test system-admin
PUT /settings/single-sign-on/password system-admin
GET /users/:userId/sign-in canManageUsers
POST /users/:userId/identities system-admin
DELETE /users/:userId/identities/:identityId canEditUsers
GET /settings/ldap system-admin
PUT /settings/ldap system-admin
DELETE /settings/ldap system-admin
POST /settings/ldap/test system-admin
GET /settings/directories system-admin
POST /settings/directories system-admin
POST /settings/directories/:id/key system-admin
DELETE /settings/directories/:id/key system-admin
DELETE /settings/directories/:id system-admin
GET /admin/status canManageSettings
POST /admin/status/:part/test canManageSettings
POST /admin/jobs/:id/retry canManageSettings
GET /admin/get-started canAccessAdminPanel
GET /admin/overview canAccessAdminPanel
GET /admin/audit-log canViewAuditLog
GET /admin/audit-log/export canViewAuditLog
GET /settings/audit-stream system-admin
POST /settings/audit-stream/receivers system-admin
PUT /settings/audit-stream/receivers/:receiverId system-admin
DELETE /settings/audit-stream/receivers/:receiverId system-admin
POST /settings/audit-stream/test system-admin
GET /settings/webhooks system-admin
POST /settings/webhooks system-admin
PUT /settings/webhooks/:webhookId system-admin
DELETE /settings/webhooks/:webhookId system-admin
POST /settings/webhooks/:webhookId/secret system-admin
POST /settings/webhooks/:webhookId/test system-admin
GET /settings/webhooks/:webhookId/deliveries system-admin
POST /settings/webhooks/:webhookId/deliveries/:deliveryId/resend system-admin
GET /admin/analytics canViewAnalytics
GET /admin/analytics/channels canViewAnalytics
GET /admin/analytics/documents canViewAnalytics
GET /admin/analytics/questions canViewAnalytics
PUT /admin/analytics/questions/:id canViewAnalytics
GET /admin/analytics/export canViewAnalytics
GET /channels/:id/check-usage canEditChannels
GET /quotas canManageSettings
PUT /quotas canManageSettings
GET /users/:id/quota canManageUsers
PUT /users/:id/quota canManageUsers
DELETE /users/:id/quota canManageUsers
GET /channels/:id/quota canEditChannels
PUT /channels/:id/quota canEditChannels
GET /chat/:channelId/quota signed-in
GET /channels/:id/embedding canEditChannels
PUT /channels/:id/embedding canEditChannels
GET /embedded/:channelId public
GET /embedded/:channelId/starters public
POST /embedded/:channelId/sign-ins signed-in
POST /embedded/:channelId/visitors public
DELETE /embedded/:channelId/sign-ins/current signed-in
`

describe('the contract', () => {
  it('declares each call with its access', () => {
    const declared = endpoints.map(({ method, path, access }) => `${method} ${path} ${access}`)
    expect(declared).toEqual(table.trim().split('\n'))
  })

  it('declares each method and path only once', () => {
    const calls = endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(calls).size).toBe(calls.length)
  })

  it('declares a schema for every path parameter', () => {
    for (const { path, params } of endpoints) {
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(Object.keys(params?.shape ?? {}), path).toEqual(named)
    }
  })
})
