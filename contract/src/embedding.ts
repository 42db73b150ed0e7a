import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { quotaLeft } from './quotas.ts'
import { id, idParams, isoTimestamp } from './wire.ts'

export const embeddingSiteMaximum = 20
/** Hours until a sign-in on another site ends. */
export const embeddedSignInHours = 12
/** Days after its last message until a visitor is deleted, with all chats. */
export const visitorDays = 30

/** The origin of a page that shows the chat, such as `https://www.example.com`. */
const site = z.string().check(z.maxLength(300))

function dailyLimit(max: number) {
  return z.number().check(z.int(), z.gte(1), z.lte(max))
}

/** On which other sites a channel can be used, and by whom. */
export const embeddingInput = z.object({
  /** Empty when the channel is not embedded. */
  sites: z.array(site).check(z.maxLength(embeddingSiteMaximum, `At most ${embeddingSiteMaximum} sites`)),
  /** Whether users without an account can ask questions. */
  allowsVisitors: z.boolean(),
  /** Messages of one visitor in a day (UTC). */
  visitorMessagesPerDay: dailyLimit(1000),
  /** Messages of all visitors of the channel in a day (UTC). */
  channelVisitorMessagesPerDay: dailyLimit(100_000),
})
export type EmbeddingInput = z.output<typeof embeddingInput>

export const embedding = z.extend(embeddingInput, {
  /** Messages that visitors of the channel have sent today. */
  visitorMessagesToday: z.number(),
})
export type Embedding = z.output<typeof embedding>

/** What the frame shows before anyone is signed in. */
export const embeddedChannel = z.object({
  _id: id,
  /** Null unless visitors are allowed: only members may know the name then. */
  name: z.nullable(z.string()),
  /** Null like the name. */
  description: z.nullable(z.string()),
  allowsVisitors: z.boolean(),
  /** Set while visitors are allowed but a limit that they share is used up, so that a new one could not ask anything. */
  usedUp: z.optional(quotaLeft),
})
export type EmbeddedChannel = z.output<typeof embeddedChannel>

/** A sign-in that can do nothing but chat in one channel. */
export const embeddedSignIn = z.object({
  token: z.string(),
  expiresAt: isoTimestamp,
  user: z.object({
    _id: id,
    name: z.string(),
    /** Null for visitors. */
    email: z.nullable(z.string()),
  }),
})
export type EmbeddedSignIn = z.output<typeof embeddedSignIn>

const channelParams = z.object({ channelId: id })

export const embeddingApi = {
  get: endpoint({
    method: 'GET',
    path: '/channels/:id/embedding',
    access: 'canEditChannels',
    summary: 'Get on which other sites a channel can be used',
    params: idParams,
    reply: embedding,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/channels/:id/embedding',
    access: 'canEditChannels',
    summary: 'Set on which other sites a channel can be used; sign-ins on removed sites end',
    params: idParams,
    body: embeddingInput,
    reply: embedding,
  }),
  describe: endpoint({
    method: 'GET',
    path: '/embedded/:channelId',
    access: 'public',
    limit: 'read',
    summary: 'Describe a channel that can be used on other sites',
    params: channelParams,
    reply: embeddedChannel,
  }),
  starters: endpoint({
    method: 'GET',
    path: '/embedded/:channelId/starters',
    access: 'public',
    limit: 'read',
    summary: 'Get the questions that visitors can start with; none unless visitors are allowed',
    params: channelParams,
    reply: z.object({ questions: z.array(z.string()) }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/embedded/:channelId/sign-ins',
    access: 'signed-in',
    summary: 'Sign in to the chat on another site',
    params: channelParams,
    body: z.object({ site }),
    reply: embeddedSignIn,
  }),
  visit: endpoint({
    method: 'POST',
    path: '/embedded/:channelId/visitors',
    access: 'public',
    limit: 'registration',
    summary: 'Start to chat as a visitor on another site',
    params: channelParams,
    body: z.object({ site }),
    reply: embeddedSignIn,
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/embedded/:channelId/sign-ins/current',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'End the sign-in on another site that makes this call',
    params: channelParams,
    reply: 'none',
  }),
} as const
