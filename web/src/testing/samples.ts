import type { ApiKey } from '@lyceum/contract/api-keys'
import type { Channel, ChannelInput, ListedMember } from '@lyceum/contract/channels'
import type { ConnectedProgram } from '@lyceum/contract/connected-programs'
import type { Document } from '@lyceum/contract/documents'
import type { Invitation } from '@lyceum/contract/invitations'
import type { ListedUser, UserDetail } from '@lyceum/contract/users'

/** A custom channel as administrators with canManageChannels see it. */
export function aChannel(change: Partial<Channel> = {}): Channel {
  return {
    _id: 'channel-1',
    name: 'Physics',
    description: 'Questions about motion',
    avatar: null,
    wallpaper: null,
    isAdmin: true,
    allowProposals: false,
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
  }
}

/** A member whom an administrator added to a channel. */
export function aMember(change: Partial<ListedMember> = {}): ListedMember {
  return {
    _id: 'user-1',
    name: 'Ada Example',
    email: 'ada@example.com',
    isAdmin: false,
    isByHand: true,
    groups: [],
    issuers: [],
    ...change,
  }
}

/** The server's reply for a saved channel. */
export function aSavedChannel({
  allowProposals = false,
  retentionDays = null,
  starterQuestions = [],
  ...input
}: ChannelInput): Channel {
  return aChannel({ ...input, allowProposals, retentionDays })
}

export function anIndex(change: Partial<Document['index']> = {}): Document['index'] {
  return {
    state: 'none',
    percent: 0,
    attempts: 0,
    reason: null,
    passages: null,
    pages: null,
    answers: false,
    ...change,
  }
}

/** A document pending review. */
export function aDocument(change: Partial<Document> = {}): Document {
  return {
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
    version: { number: 1, count: 1 },
    answering: null,
    isProposal: false,
    index: anIndex(),
    ...change,
  }
}

export function anApprovedDocument(change: Partial<Document> = {}): Document {
  return aDocument({
    status: 'approved',
    approvedBy: { _id: 'admin-2', name: 'Alan Example' },
    approvedAt: '2026-11-21T10:00:00.000Z',
    index: anIndex({ state: 'waiting' }),
    ...change,
  })
}

/** A user as listed for administrators. */
export function aListedUser(change: Partial<ListedUser> = {}): ListedUser {
  return {
    _id: 'user-1',
    name: 'Ada Example',
    email: 'ada@example.com',
    role: 'user',
    channels: ['channel-1'],
    isSystemAdmin: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastSignInAt: '2026-11-20T08:00:00.000Z',
    twoFactorEnabled: true,
    ...change,
  }
}

/** A user on their page for administrators. */
export function aUserDetail(change: Partial<UserDetail> = {}): UserDetail {
  return {
    ...aListedUser(),
    chatCount: 3,
    documentCount: 2,
    sessionCount: 1,
    chatsAreRetained: false,
    ...change,
  }
}

/** A key that its user created and never used. */
export function anApiKey(change: Partial<ApiKey> = {}): ApiKey {
  return {
    _id: 'key-1',
    name: 'Nightly report',
    prefix: 'lyceum_Ab12cd',
    scopes: ['chat'],
    channels: null,
    createdAt: '2026-11-20T09:00:00.000Z',
    createdByName: null,
    expiresAt: '2027-02-18T09:00:00.000Z',
    lastUsedAt: null,
    ...change,
  }
}

/** A program that its user connected and that has not been used. */
export function aConnectedProgram(change: Partial<ConnectedProgram> = {}): ConnectedProgram {
  return {
    _id: 'program-1',
    name: 'Research agent',
    destination: 'agent.example',
    scopes: ['chat', 'documents'],
    channels: null,
    connectedAt: '2026-11-20T09:00:00.000Z',
    expiresAt: '2027-02-18T09:00:00.000Z',
    lastUsedAt: null,
    ...change,
  }
}

/** A pending invitation. */
export function anInvitation(change: Partial<Invitation> = {}): Invitation {
  return {
    _id: 'invitation-1',
    email: 'niels@example.com',
    fullName: 'Niels Example',
    status: 'pending',
    invitedBy: { _id: 'admin-1', name: 'Grace Example' },
    role: 'user',
    allowedChannels: ['channel-1'],
    twoFactorExpiryEnabled: true,
    twoFactorExpiryDays: 30,
    expiresAt: '2026-11-28T09:00:00.000Z',
    createdAt: '2026-11-21T09:00:00.000Z',
    ...change,
  }
}

export function aPage<Item>(items: Item[], total = items.length, limit = 20) {
  return {
    items,
    total,
    totalPages: Math.ceil(total / limit),
  }
}
