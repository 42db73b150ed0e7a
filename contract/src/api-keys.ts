import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, isoTimestamp, singleLine } from './wire.ts'

/** `chat`: ask questions in channels; `documents`: search and read their documents. */
export const apiKeyScopes = ['chat', 'documents'] as const
const apiKeyScope = z.enum(apiKeyScopes)
export type ApiKeyScope = z.output<typeof apiKeyScope>

/** After how many days a key can end. Every key ends. */
export const apiKeyLifetimes = [7, 30, 90, 365] as const
export const apiKeyMaximum = 20
/** For how many days a key is still listed after an administrator revoked it. */
export const revokedApiKeyDays = 30

/** Null for every channel that the user is a member of when it is used. */
export const apiKeyChannelIds = z.nullable(
  z.array(id).check(z.minLength(1, 'Choose a channel'), z.maxLength(100)),
)

export const apiKeyInput = z.object({
  name: singleLine(80, 'Name is required'),
  scopes: z.array(apiKeyScope).check(z.minLength(1, 'Choose what the key can do'), z.maxLength(8)),
  channelIds: apiKeyChannelIds,
  expiresInDays: z.literal(apiKeyLifetimes),
})
export type ApiKeyInput = z.output<typeof apiKeyInput>

export const apiKey = z.object({
  _id: id,
  name: z.string(),
  /** The beginning of the key, by which its owner recognizes it. */
  prefix: z.string(),
  scopes: z.array(apiKeyScope),
  /** Null for every channel of the user. Contains no channel that has been deleted. */
  channels: z.nullable(z.array(z.object({ _id: id, name: z.string() }))),
  createdAt: isoTimestamp,
  /** The administrator who created it for the user; null for the user's own keys. */
  createdByName: z.nullable(z.string()),
  expiresAt: isoTimestamp,
  lastUsedAt: z.nullable(isoTimestamp),
  /** Only if an administrator revoked it. `byName` is null if that administrator was deleted. */
  revoked: z.optional(z.object({ at: isoTimestamp, byName: z.nullable(z.string()) })),
})
export type ApiKey = z.output<typeof apiKey>

/** `key` is shown this once. Only its hash is stored. */
export const createdApiKey = z.extend(apiKey, { key: z.string() })
export type CreatedApiKey = z.output<typeof createdApiKey>

const userParams = z.object({ userId: id })

export const apiKeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/api-keys',
    access: 'signed-in',
    summary: 'List your own API keys, and those that an administrator revoked in the last 30 days',
    reply: z.array(apiKey),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api-keys',
    access: 'signed-in',
    summary: 'Create an API key for yourself',
    body: apiKeyInput,
    reply: createdApiKey,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api-keys/:id',
    access: 'signed-in',
    summary: 'Revoke one of your own API keys',
    params: idParams,
    reply: 'none',
  }),
  listOfUser: endpoint({
    method: 'GET',
    path: '/users/:userId/api-keys',
    access: 'canManageUsers',
    summary: "List a user's API keys, and those that an administrator revoked in the last 30 days",
    params: userParams,
    reply: z.array(apiKey),
  }),
  createForUser: endpoint({
    method: 'POST',
    path: '/users/:userId/api-keys',
    access: 'system-admin',
    summary: 'Create an API key with which a program acts as a user',
    params: userParams,
    body: apiKeyInput,
    reply: createdApiKey,
  }),
  revokeOfUser: endpoint({
    method: 'DELETE',
    path: '/users/:userId/api-keys/:id',
    access: 'canEditUsers',
    summary: "Revoke a user's API key",
    params: z.extend(userParams, { id }),
    reply: 'none',
  }),
} as const
