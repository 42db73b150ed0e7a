import { owner } from './acknowledged-load.ts'

export type Row = Record<string, unknown>
export type Rows = Record<string, readonly Row[]>

/** When all rows were created. */
export const begun = Date.UTC(2026, 5, 1)
const times = { created_at: begun, updated_at: begun }

/** `ada` is a system administrator with the password of `owner`; `gone` was deleted. */
export const earlierUsers = ['ada', 'bo', 'cy', 'gone']
export const earlierChannels = ['handbook', 'strict', 'assistant']

export interface EarlierSize {
  /** How many chats each user has in each channel. */
  chatsEach: number
  messagesEach: number
}

export function countMessages({ chatsEach, messagesEach }: EarlierSize): number {
  return earlierUsers.length * earlierChannels.length * chatsEach * messagesEach
}

/** The last question of a user's first chat in a channel contains this word, and no other message does. */
export function uniqueWord(user: string, channel: string, { messagesEach }: EarlierSize): string {
  return wordOf(`${user}-${channel}-0`, messagesEach - 2)
}

function wordOf(chat: string, at: number): string {
  return `word${chat.replaceAll('-', '')}n${at}`
}

function listUsers(passwordHash: string): Row[] {
  return earlierUsers.map((id) => ({
    id,
    email: id === 'ada' ? owner.email : id === 'gone' ? 'gone@deleted.invalid' : `${id}@example.org`,
    name: id === 'gone' ? 'Deleted user' : `User ${id}`,
    role: id === 'ada' ? 'admin' : 'user',
    is_system_admin: id === 'ada' ? 1 : 0,
    permission_overrides: id === 'ada' ? '{"canViewChatHistory":true}' : null,
    password_hash: passwordHash,
    two_factor_days: id === 'bo' ? 7 : null,
    two_factor_enabled: id === 'bo' ? 1 : 0,
    deleted_at: id === 'gone' ? begun + 5 : null,
    created_at: begun,
  }))
}

function listSignIns(): Rows {
  const from = { ip: '192.0.2.1', user_agent: 'Firefox' }
  const used = { user_id: 'bo', created_at: begun, last_used_at: begun }
  const session = { id: 's', user_id: 'bo', created_at: begun, last_seen_at: begun, expires_at: begun }
  const apiKey = {
    ...{ id: 'y', user_id: 'bo', name: 'Report', key_hash: 'y', prefix: 'lyceum_a', scopes: '["chat"]' },
    ...{ created_at: begun, expires_at: begun, channel_ids: null, created_by: 'ada', last_used_at: null },
  }
  const { key_hash: _, ...revokedKey } = apiKey
  const consent = {
    ...{ user_id: 'bo', client_id: 'm', destination: 'a.example', scopes: '["chat"]', channel_ids: null },
    ...{ program_expires_at: begun, expires_at: begun, used_at: begun },
  }
  const { program_expires_at: _expiry, used_at: _use, ...program } = consent
  const connection = {
    ...{ id: 'p', name: 'Agent', family_hash: 'f', refresh_hash: 'f' },
    ...{ created_at: begun, last_used_at: null },
  }
  const challenge = { id: 'c', secret_hash: 'h', user_id: 'bo', code_hash: 'h', tries: 1 }
  const reset = { id: 'r', token_hash: 'r', user_id: 'cy', created_at: begun, expires_at: begun }
  return {
    sessions: [{ ...session, ...from }],
    api_keys: [apiKey],
    revoked_api_keys: [{ ...revokedKey, revoked_by: 'ada', revoked_at: begun }],
    oauth_clients: [{ id: 'm', name: 'Agent', redirect_uris: '[]', created_at: begun, last_used_at: begun }],
    oauth_codes: [
      { ...consent, code_hash: 'o', redirect_uri: 'https://a.example/', challenge: 'c', program_id: 'p' },
    ],
    connected_programs: [{ ...program, ...connection }],
    oauth_access_tokens: [{ token_hash: 'o', program_id: 'p', scopes: '["chat"]', expires_at: begun }],
    sign_in_issuers: [{ id: 'acme', name: 'Acme', sealed: 's', options: '{}', created_at: begun }],
    identities: [
      { id: 'u', user_id: 'bo', issuer_id: 'acme', subject: '1', created_at: begun, last_used_at: null },
    ],
    access_grants: [{ user_id: 'bo', target: 'channel:handbook', source: 'issuer:acme', created_at: begun }],
    sign_in_transactions: [
      { state_hash: 'h', browser_hash: 'h', issuer_id: 'acme', sealed: 's', expires_at: begun },
    ],
    used_logout_tokens: [{ token_hash: 'l', expires_at: begun }],
    sign_in_counters: [{ key: 'n', failures: 3, window_started_at: begun, last_failure_at: begun }],
    attempts: [{ id: 'a', key: 'code-mail|bo', at: begun }],
    sign_in_challenges: [{ ...challenge, ...from, sent_at: begun, expires_at: begun }],
    trusted_browsers: [{ ...used, ...from, id: 'b', token_hash: 't', epoch: 0 }],
    known_browsers: [{ ...used, token_hash: 'k' }],
    password_resets: [{ ...reset, used_at: null }],
    invitations: [
      {
        ...{ id: 'i', email: 'new@example.org', full_name: 'New', token_hash: 'i', status: 'pending' },
        ...{ is_setup: 0, invited_by: 'ada', allowed_channels: '["handbook"]', two_factor_days: 30 },
        ...{ two_factor_enabled: 1, created_at: begun, expires_at: begun, accepted_at: null },
      },
    ],
  }
}

function listChannels(): Rows {
  return {
    settings: [{ key: 'showNotice', value: 'true', updated_at: begun }],
    channels: earlierChannels.map((id) => ({
      ...{ id, name: `Channel ${id}`, description: '', system_prompt: 'Be kind', llm_model: 'gpt-4o' },
      strict_documents_only: id === 'strict' ? 1 : 0,
      check_citations: id === 'strict' ? 1 : 0,
      use_assistant: id === 'assistant' ? 1 : 0,
      assistant_id: id === 'assistant' ? 'preset' : '',
      // Far more than the age of the rows, which a server would delete otherwise.
      retention_days: id === 'strict' ? 30_000 : null,
      ...times,
    })),
    channel_members: earlierChannels.flatMap((channel_id) =>
      earlierUsers.map((user_id) => ({ channel_id, user_id, is_admin: 0, created_at: begun })),
    ),
    audit_receivers: [
      { id: 'siem', name: 'SIEM', sealed: 's', sent_seq: 0, failures: 0, retry_at: 0, created_at: begun },
    ],
    audit_receiver_leases: [{ receiver_id: 'siem', owner: 'node', lease_until: begun }],
    webhooks: [
      {
        ...{ id: 'desk', name: 'Desk', sealed: 's', events: '[]', is_enabled: 1, paused_until: 0 },
        created_at: begun,
      },
    ],
    webhook_deliveries: [
      {
        ...{ id: 'delivery', webhook_id: 'desk', event: 'document.pending', payload: '{}' },
        ...{ state: 'waiting', attempts: 0, created_at: begun },
      },
    ],
    channel_embeddings: [
      {
        ...{ channel_id: 'handbook', sites: '["https://a.example"]', allows_visitors: 0 },
        ...{ visitor_messages_per_day: 20, channel_visitor_messages_per_day: 1000 },
      },
    ],
    embedded_sign_ins: [
      {
        ...{ id: 'e', token_hash: 'e', user_id: 'bo', channel_id: 'handbook', site: 'https://a.example' },
        ...{ ip: '192.0.2.1', user_agent: 'Firefox', identity_id: null, issuer_session: null },
        ...{ created_at: begun, last_seen_at: begun, expires_at: begun },
      },
    ],
    user_groups: [
      {
        id: 'sales',
        name: 'Sales',
        name_key: 'sales',
        description: '',
        permissions: '[]',
        created_at: begun,
      },
    ],
    group_members: [{ group_id: 'sales', user_id: 'bo', source: 'hand', created_at: begun }],
    group_channels: [{ group_id: 'sales', channel_id: 'handbook', created_at: begun }],
    directories: [{ id: 'entra', name: 'Entra ID', created_at: begun }],
    directory_keys: [
      { directory_id: 'entra', key_hash: 'd', prefix: 'lyceum_scim_', created_at: begun, last_used_at: null },
    ],
    directory_users: [
      { user_id: 'bo', directory_id: 'entra', user_name: 'Bo', user_name_key: 'bo', ...times },
    ],
    directory_groups: [{ group_id: 'sales', directory_id: 'entra', version: 1, ...times }],
    assistant_presets: [
      {
        ...{ id: 'p', assistant_id: 'preset', name: 'P', description: '', instructions: 'I' },
        ...{ model: 'gpt-4o', options: '{}', ...times },
      },
    ],
  }
}

/** A question that the passage of the only document answers. */
export const documentQuestion = 'When do the doors open?'
const documentText = 'The doors open at nine.'

function listDocuments(): Rows {
  const review = { status: 'approved', uploaded_by: 'ada', reviewed_by: 'ada', reviewed_at: begun }
  const file = { kind: 'txt', file_key: 'cd'.repeat(20), file_size: 12, sha256: 'h' }
  const index = { index_state: 'ready', index_percent: 100, index_attempts: 1 }
  const place = { document_id: 'd', version_id: 'v', channel_id: 'handbook' }
  const end = documentText.length
  return {
    documents: [
      {
        ...{ id: 'd', channel_id: 'handbook', title: 'Opening hours', description: '' },
        ...{ original_name: 'hours.txt', version_id: 'v', approved_version_id: 'v', generation: 'g' },
        ...{ answering_version_id: 'v', ...review, ...times },
      },
    ],
    document_versions: [
      {
        ...{ id: 'v', document_id: 'd', number: 1, original_name: 'hours.txt', ...file, ...index },
        ...{ ...review, text: documentText, unread_pages: '[3]', created_at: begun },
      },
    ],
    passages: [
      {
        ...{ id: 'pa', generation: 'g', ...place, ordinal: 0, heading_path: '[]' },
        ...{ char_start: 0, char_end: end, text: documentText, tokens: 6 },
      },
    ],
    embeddings: [{ model: 'e', text_hash: 'h', vector: Buffer.from([1, 2, 3]), created_at: begun }],
    test_questions: [{ id: 'q', channel_id: 'handbook', question: 'When?', expected: '[]', ...times }],
    test_runs: [
      {
        ...{ id: 'tr', channel_id: 'handbook', ran_at: begun, note: '' },
        ...{ total: 1, found: 1, mean_rank: 1.5, results: '[]' },
      },
    ],
    test_run_leases: [{ channel_id: 'handbook', owner: 'n', lease_until: begun }],
    removed_files: [{ file_key: 'ef'.repeat(20), removed_at: begun }],
    jobs: [
      {
        ...{ id: 'j', name: 'chats.forget-keys', payload: '{}', state: 'waiting' },
        ...{ attempts: 0, run_at: begun, created_at: begun },
      },
    ],
  }
}

/** Each question contains a unique word. Every fiftieth message is an unfinished reply. */
function messageOf(chat: string, at: number): Row {
  const isReply = at % 2 === 1
  return {
    id: `${chat}-${at}`,
    chat_id: chat,
    parent_id: at === 0 ? null : `${chat}-${at - 1}`,
    role: isReply ? 'assistant' : 'user',
    content: isReply
      ? `Answer ${at} in ${chat}: the doors open at nine.`
      : `Question ${at} ${wordOf(chat, at)}?`,
    state: isReply ? (at % 50 === 49 ? 'interrupted' : 'complete') : null,
    mode: isReply ? 'model' : null,
    citations: isReply ? '[{"documentId":"d","passageId":"pa"}]' : null,
    unchecked_citations: isReply ? 1 : null,
    last_event: isReply ? 4 : 0,
    created_at: begun + at,
  }
}

function listChats({ chatsEach, messagesEach }: EarlierSize): Rows {
  const chats = earlierUsers.flatMap((user_id) =>
    earlierChannels.flatMap((channel_id) =>
      Array.from({ length: chatsEach }, (_, at) => ({
        id: `${user_id}-${channel_id}-${at}`,
        ...{ user_id, channel_id, title: at === 0 ? `Title of ${user_id}` : null },
        active_leaf_id: `${user_id}-${channel_id}-${at}-${messagesEach - 1}`,
        ...{ message_count: messagesEach, last_message_role: 'assistant', last_message_preview: 'Answer' },
        ...{ last_message_at: begun + at, created_at: begun + at, updated_at: begun + 1000 * at },
      })),
    ),
  )
  const [question, reply] = [`${chats[0]?.id}-0`, `${chats[0]?.id}-1`]
  const tokens = { input: 10, output: 5, cached: 0, cache_write: 0, reasoning: 0, cost: null, estimated: 0 }
  const call = { purpose: 'answer', requested_model: 'gpt-4o', actual_model: 'gpt-4o', ...tokens }
  const [day, channel_id, user_id] = ['2026-06-01', 'handbook', 'ada']
  return {
    chats,
    messages: chats.flatMap(({ id }) => Array.from({ length: messagesEach }, (_, at) => messageOf(id, at))),
    attachments: [
      {
        ...{ id: 'f', chat_id: chats[0]?.id, message_id: question, name: 'letter.txt', kind: 'txt' },
        ...{ file_key: 'ab'.repeat(20), file_size: 12, sha256: 'h', pages: null, tokens: 3 },
        ...{ created_at: begun, text: 'Dear Sir', blocks: '[]' },
      },
    ],
    attachment_passages: [
      {
        ...{ attachment_id: 'f', ordinal: 0, page: null, page_turns: '[]', heading_path: '[]' },
        ...{ char_start: 0, char_end: 8, text: 'Dear Sir', terms: 'dear sir', tokens: 3 },
      },
    ],
    message_feedback: [{ message_id: reply, rating: 'bad', reason: null, comment: 'Late', ...times }],
    llm_usage: [
      { id: 'u', message_id: reply, user_id, channel_id, ...call, created_at: begun },
      { id: 'w', message_id: reply, user_id, channel_id, ...call, purpose: 'judge', created_at: begun },
    ],
    usage_days: [
      {
        ...{ channel_id, day, model: 'gpt-4o', replies: 1, input_tokens: 20, output_tokens: 10 },
        ...{ checks: 1, check_tokens: 15, checked_citations: 2, unconfirmed_citations: 1 },
        unchecked_citations: 1,
      },
    ],
    usage_people: [{ channel_id, user_id, day, asked: 1, tokens: 30 }],
    visitor_days: [{ channel_id, visitor_id: 'v', day, arrived: 1, asked: 1 }],
    citation_days: [{ channel_id, document_id: 'd', day, citations: 1 }],
    unanswered_questions: [{ message_id: question, channel_id, asked_at: begun, reason: 'not-in-documents' }],
    quotas: [
      {
        id: 'l',
        user_id,
        channel_id: null,
        messages_per_day: 100,
        tokens_per_month: null,
        updated_at: begun,
      },
    ],
    history_exports: [{ user_id, fence: 'f', lease_until: begun }],
  }
}

/** The rows of every table of the newest migration. */
export function listEarlierRows(size: EarlierSize, passwordHash: string): Rows {
  return {
    users: listUsers(passwordHash),
    ...listSignIns(),
    ...listChannels(),
    ...listDocuments(),
    ...listChats(size),
  }
}
