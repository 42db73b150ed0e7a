import type { Connections } from '@lyceum/contract/connections'
import { type ConversationSettings, noticeDefault } from '@lyceum/contract/conversation-settings'
import type { PartStatus, SystemStatus } from '@lyceum/contract/status'

export function createConversationSettings(change: Partial<ConversationSettings> = {}): ConversationSettings {
  return {
    reviewNotice: { enabled: true, text: noticeDefault },
    retention: { days: null },
    ...change,
  }
}

/** No connections, with these changes. */
export function createConnections({
  health = {},
  model,
  embeddings,
  reranking,
  mail,
}: {
  health?: Connections['health']
  model?: Partial<Connections['model']>
  embeddings?: Partial<Connections['embeddings']>
  reranking?: Partial<Connections['reranking']>
  mail?: Partial<Connections['mail']>
} = {}): Connections {
  return {
    health,
    model: {
      source: 'none',
      baseUrl: '',
      hasApiKey: false,
      model: '',
      embeddingModel: 'text-embedding-3-small',
      variables: {},
      ...model,
    },
    embeddings: {
      source: 'none',
      baseUrl: '',
      hasApiKey: false,
      model: '',
      queryPrefix: '',
      passagePrefix: '',
      variables: {},
      ...embeddings,
    },
    reranking: { source: 'none', url: '', hasApiKey: false, model: '', variables: {}, ...reranking },
    mail: {
      source: 'none',
      host: '',
      port: null,
      encryption: 'starttls',
      username: '',
      hasPassword: false,
      from: 'lyceum@example.org',
      variables: {},
      ...mail,
    },
  }
}

export function aPart(change: Partial<PartStatus> = {}): PartStatus {
  return {
    part: 'mail',
    state: 'ok',
    words: 'Emails are sent.',
    facts: [
      { label: 'Delivery', kind: 'text', value: 'mail.example.org' },
      { label: 'Last sent', kind: 'time', value: null },
      { label: 'Waiting', kind: 'count', value: 1200 },
    ],
    ...change,
  }
}

export function aStatus(change: Partial<SystemStatus> = {}): SystemStatus {
  return {
    version: '1.2.3',
    at: '2026-11-21T09:00:00.000Z',
    parts: [aPart()],
    nodes: [],
    jobs: { hasWorker: true, waiting: 2, running: 0, failed: 0, failures: [] },
    ...change,
  }
}
