import type { Channel } from '@lyceum/contract/channels'
import type { Document } from '@lyceum/contract/documents'

/** A custom channel as someone who manages channels sees it. */
export const aChannel = (change: Partial<Channel> = {}): Channel => ({
  _id: 'channel-1',
  name: 'Physics',
  description: 'Questions about motion',
  avatar: null,
  wallpaper: null,
  isAdmin: true,
  users: [],
  isMember: true,
  memberCount: 3,
  documentCount: 0,
  systemPrompt: 'Answer briefly.',
  llmModel: 'gpt-4o',
  strictDocumentsOnly: false,
  useAssistant: false,
  openaiAssistantId: '',
  ...change,
})

export const anIndex = (change: Partial<Document['index']> = {}): Document['index'] => ({
  state: 'none',
  percent: 0,
  attempts: 0,
  reason: null,
  passages: null,
  pages: null,
  answers: false,
  ...change,
})

/** A document that waits for its review. */
export const aDocument = (change: Partial<Document> = {}): Document => ({
  _id: 'document-1',
  title: 'Handbook',
  description: '',
  originalName: 'handbook.pdf',
  filename: 'handbook.pdf',
  mimeType: 'application/pdf',
  fileType: 'pdf',
  fileSize: 2048,
  status: 'pending',
  createdAt: '2026-11-20T09:00:00.000Z',
  channel: { _id: 'channel-1', name: 'Physics' },
  uploadedBy: { _id: 'admin-1', name: 'Grace Example' },
  approvedBy: null,
  approvedAt: null,
  rejectedBy: null,
  rejectedAt: null,
  index: anIndex(),
  ...change,
})

export const approved = (change: Partial<Document> = {}): Document =>
  aDocument({
    status: 'approved',
    approvedBy: { _id: 'admin-2', name: 'Alan Example' },
    approvedAt: '2026-11-21T10:00:00.000Z',
    index: anIndex({ state: 'waiting' }),
    ...change,
  })

export const aPage = <Item>(items: Item[], total = items.length, limit = 20) => ({
  items,
  total,
  totalPages: Math.ceil(total / limit),
})
