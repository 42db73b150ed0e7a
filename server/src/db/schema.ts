import type {
  AssistantPresetsTable,
  ChannelMembersTable,
  ChannelsTable,
  DocumentsTable,
  DocumentVersionsTable,
  EmbeddingsTable,
  PassagesTable,
  TestQuestionsTable,
  TestRunLeasesTable,
  TestRunsTable,
} from './schema/channels.ts'
import type {
  AttachmentPassagesTable,
  AttachmentsTable,
  ChatsTable,
  ChatTotalsTable,
  HistoryExportsTable,
  LlmUsageTable,
  MessageChangesTable,
  MessageFeedbackTable,
  MessagesTable,
} from './schema/chats.ts'
import type {
  ConnectedProgramsTable,
  OauthAccessTokensTable,
  OauthClientsTable,
  OauthCodesTable,
} from './schema/connected-programs.ts'
import type {
  DirectoriesTable,
  DirectoryGroupsTable,
  DirectoryKeysTable,
  DirectoryUsersTable,
} from './schema/directories.ts'
import type { ChannelEmbeddingsTable, EmbeddedSignInsTable } from './schema/embedding.ts'
import type { GroupChannelsTable, GroupMembersTable, UserGroupsTable } from './schema/groups.ts'
import type {
  AuditLogTable,
  AuditReceiverLeasesTable,
  AuditReceiversTable,
  JobsTable,
  NodesTable,
  RateCountersTable,
  RemovedFilesTable,
  SettingsTable,
} from './schema/operation.ts'
import type {
  AccessGrantsTable,
  IdentitiesTable,
  SignInIssuersTable,
  SignInTransactionsTable,
  UsedLogoutTokensTable,
} from './schema/single-sign-on.ts'
import type {
  CitationDaysTable,
  QuotasTable,
  UnansweredQuestionsTable,
  UsageDaysTable,
  UsagePeopleTable,
  VisitorDaysTable,
} from './schema/usage.ts'
import type {
  ApiKeysTable,
  AttemptsTable,
  InvitationsTable,
  KnownBrowsersTable,
  PasswordResetsTable,
  RevokedApiKeysTable,
  SessionsTable,
  SignInChallengesTable,
  SignInCountersTable,
  TrustedBrowsersTable,
  UsersTable,
} from './schema/users.ts'

import type { WebhookDeliveriesTable, WebhooksTable } from './schema/webhooks.ts'

/**
 * The whole data model. Ids are UUIDv7 text, times are integer milliseconds, booleans are 0 or 1, and JSON is text.
 * Both databases store the same, so that one set of queries serves both (docs/decisions/0003).
 */
export interface Database {
  users: UsersTable
  sessions: SessionsTable
  api_keys: ApiKeysTable
  revoked_api_keys: RevokedApiKeysTable
  oauth_clients: OauthClientsTable
  oauth_codes: OauthCodesTable
  connected_programs: ConnectedProgramsTable
  oauth_access_tokens: OauthAccessTokensTable
  sign_in_issuers: SignInIssuersTable
  identities: IdentitiesTable
  access_grants: AccessGrantsTable
  sign_in_transactions: SignInTransactionsTable
  used_logout_tokens: UsedLogoutTokensTable
  sign_in_counters: SignInCountersTable
  attempts: AttemptsTable
  sign_in_challenges: SignInChallengesTable
  trusted_browsers: TrustedBrowsersTable
  known_browsers: KnownBrowsersTable
  password_resets: PasswordResetsTable
  invitations: InvitationsTable
  settings: SettingsTable
  channels: ChannelsTable
  channel_members: ChannelMembersTable
  channel_embeddings: ChannelEmbeddingsTable
  embedded_sign_ins: EmbeddedSignInsTable
  user_groups: UserGroupsTable
  group_members: GroupMembersTable
  group_channels: GroupChannelsTable
  directories: DirectoriesTable
  directory_keys: DirectoryKeysTable
  directory_users: DirectoryUsersTable
  directory_groups: DirectoryGroupsTable
  assistant_presets: AssistantPresetsTable
  documents: DocumentsTable
  document_versions: DocumentVersionsTable
  passages: PassagesTable
  embeddings: EmbeddingsTable
  test_questions: TestQuestionsTable
  test_runs: TestRunsTable
  test_run_leases: TestRunLeasesTable
  chats: ChatsTable
  messages: MessagesTable
  attachments: AttachmentsTable
  attachment_passages: AttachmentPassagesTable
  message_feedback: MessageFeedbackTable
  message_changes: MessageChangesTable
  user_chat_totals: ChatTotalsTable
  channel_chat_totals: ChatTotalsTable
  history_exports: HistoryExportsTable
  llm_usage: LlmUsageTable
  usage_days: UsageDaysTable
  usage_people: UsagePeopleTable
  visitor_days: VisitorDaysTable
  citation_days: CitationDaysTable
  unanswered_questions: UnansweredQuestionsTable
  quotas: QuotasTable
  jobs: JobsTable
  nodes: NodesTable
  rate_counters: RateCountersTable
  removed_files: RemovedFilesTable
  audit_log: AuditLogTable
  audit_receivers: AuditReceiversTable
  audit_receiver_leases: AuditReceiverLeasesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
}
