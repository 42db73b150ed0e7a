import { analyticsApi } from './analytics.ts'
import { apiKeysApi } from './api-keys.ts'
import { assistantsApi } from './assistants.ts'
import { attachmentsApi } from './attachments.ts'
import { auditApi } from './audit.ts'
import { auditStreamApi } from './audit-stream.ts'
import { authApi } from './auth.ts'
import { channelsApi } from './channels.ts'
import { chatHistoryApi } from './chat-history.ts'
import { chatsApi } from './chats.ts'
import { connectedProgramsApi, oauthApi } from './connected-programs.ts'
import { connectionsApi } from './connections.ts'
import { conversationsApi } from './conversation-settings.ts'
import { directoriesApi } from './directories.ts'
import { documentsApi } from './documents.ts'
import { embeddingApi } from './embedding.ts'
import type { EndpointShape } from './endpoint.ts'
import { getStartedApi } from './get-started.ts'
import { groupsApi } from './groups.ts'
import { invitationsApi } from './invitations.ts'
import { ldapApi } from './ldap.ts'
import { overviewApi } from './overview.ts'
import { quotasApi } from './quotas.ts'
import { settingsApi } from './settings.ts'
import { sharedChatsApi } from './shared-chats.ts'
import { singleSignOnApi } from './single-sign-on.ts'
import { sourcesApi } from './sources.ts'
import { statusApi } from './status.ts'
import { testQuestionsApi } from './test-questions.ts'
import { twoFactorApi } from './two-factor.ts'
import { usersApi } from './users.ts'
import { webhooksApi } from './webhooks.ts'

/** Every API call, by feature. */
export const api = {
  auth: authApi,
  invitations: invitationsApi,
  users: usersApi,
  'api-keys': apiKeysApi,
  'connected-programs': connectedProgramsApi,
  oauth: oauthApi,
  'two-factor': twoFactorApi,
  channels: channelsApi,
  groups: groupsApi,
  documents: documentsApi,
  'test-questions': testQuestionsApi,
  chats: chatsApi,
  sources: sourcesApi,
  'shared-chats': sharedChatsApi,
  attachments: attachmentsApi,
  assistants: assistantsApi,
  'chat-history': chatHistoryApi,
  settings: settingsApi,
  conversations: conversationsApi,
  connections: connectionsApi,
  'single-sign-on': singleSignOnApi,
  ldap: ldapApi,
  directories: directoriesApi,
  status: statusApi,
  'get-started': getStartedApi,
  overview: overviewApi,
  audit: auditApi,
  'audit-stream': auditStreamApi,
  webhooks: webhooksApi,
  analytics: analyticsApi,
  quotas: quotasApi,
  embedding: embeddingApi,
} satisfies Record<string, Record<string, EndpointShape>>

export const endpoints: readonly EndpointShape[] = Object.values(api).flatMap((feature) =>
  Object.values(feature),
)
