import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { permission, permissionNames, role } from './permissions.ts'
import {
  confirmation,
  id,
  idParams,
  intParam,
  isoTimestamp,
  optionalLine,
  page,
  searchText,
  singleLine,
} from './wire.ts'

export const groupChannelMaximum = 100
/** How many members one request can add or remove. */
export const memberBatchMaximum = 100

const permissionList = z.array(permission).check(z.maxLength(permissionNames.length))

export const groupInput = z.object({
  name: singleLine(100, 'Name is required'),
  description: z._default(optionalLine(500), ''),
})
export type GroupInput = z.output<typeof groupInput>

/** Validates the form of a group. */
export const groupForm = z.object({ name: groupInput.shape.name, description: optionalLine(500) })

export const group = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  memberCount: z.number(),
  channelCount: z.number(),
  /** What its members can do while they are administrators. */
  permissions: z.array(permission),
  createdAt: isoTimestamp,
})
export type Group = z.output<typeof group>

const named = z.object({ _id: id, name: z.string() })

export const groupDetail = z.extend(group, {
  /** The name of the directory that manages the group, if one does. */
  directory: z.optional(z.string()),
  /** The channels that the viewer can see, sorted by name. Nobody can change the access to others. */
  channels: z.array(named),
  /** Whether the viewer can change its members or delete it: this needs sight of all channels it gives. */
  canChangeMembers: z.boolean(),
})
export type GroupDetail = z.output<typeof groupDetail>

/** Where a membership or an access comes from. */
const origin = {
  isByHand: z.boolean(),
  issuers: z.array(z.object({ _id: z.string(), name: z.string() })),
  /** The name of the directory that gives it, if one does. */
  directory: z.optional(z.string()),
}

export const groupMember = z.object({ _id: id, name: z.string(), email: z.string(), role, ...origin })
export type GroupMember = z.output<typeof groupMember>

/** Who would lose access with the group. Users who have it from elsewhere, too, are not counted. */
export const groupLosses = z.object({
  /** How many users lose anything. */
  userCount: z.number(),
  channels: z.array(z.extend(named, { userCount: z.number() })),
  /** How many administrators lose a permission. */
  administratorCount: z.number(),
})
export type GroupLosses = z.output<typeof groupLosses>

const groupOfUser = z.extend(named, {
  ...origin,
  permissions: z.array(permission),
  /** Whether the viewer can change its members. */
  canChangeMembers: z.boolean(),
})

/** Which access a user has, and where it comes from. */
export const userAccess = z.object({
  groups: z.array(groupOfUser),
  channels: z.array(z.extend(named, { ...origin, groups: z.array(named) })),
})
export type UserAccess = z.output<typeof userAccess>

const pageQuery = {
  limit: z._default(intParam(1, 100), 20),
  skip: z._default(intParam(0, 10_000_000), 0),
}
const searchQuery = z.object({ ...pageQuery, search: z._default(searchText, '') })
const userIds = z.array(id).check(z.minLength(1, 'Choose a user.'), z.maxLength(memberBatchMaximum))
const channelIds = z.array(id).check(z.minLength(1, 'Choose a channel.'), z.maxLength(groupChannelMaximum))

export const groupsApi = {
  list: endpoint({
    method: 'GET',
    path: '/groups',
    access: 'canManageUsers',
    summary: 'List groups, filtered by name',
    query: z.extend(searchQuery, {
      /** Only the groups to which the caller can add this user, without those to which they were added by hand. */
      addableUserId: z.optional(id),
    }),
    reply: page(group),
  }),
  create: endpoint({
    method: 'POST',
    path: '/groups',
    access: 'canManageUsers',
    summary: 'Create a group',
    body: groupInput,
    reply: groupDetail,
  }),
  get: endpoint({
    method: 'GET',
    path: '/groups/:id',
    access: 'canManageUsers',
    summary: 'Get a group with its channels',
    params: idParams,
    reply: groupDetail,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/groups/:id',
    access: 'canManageUsers',
    summary: 'Change the name and the description of a group',
    params: idParams,
    body: groupInput,
    reply: groupDetail,
  }),
  losses: endpoint({
    method: 'GET',
    path: '/groups/:id/losses',
    access: 'canManageUsers',
    summary: 'Count the users who would lose access if the group were deleted',
    params: idParams,
    reply: groupLosses,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/groups/:id',
    access: 'canManageUsers',
    summary: 'Delete a group and take back the access that nothing else gives',
    params: idParams,
    reply: confirmation,
  }),
  members: endpoint({
    method: 'GET',
    path: '/groups/:id/members',
    access: 'canManageUsers',
    summary: 'List the members of a group, filtered by name or email',
    params: idParams,
    query: searchQuery,
    reply: page(groupMember),
  }),
  addMembers: endpoint({
    method: 'POST',
    path: '/groups/:id/members',
    access: 'canManageUsers',
    summary: 'Add users to a group',
    params: idParams,
    body: z.object({ userIds }),
    reply: confirmation,
  }),
  removeMembers: endpoint({
    method: 'DELETE',
    path: '/groups/:id/members',
    access: 'canManageUsers',
    summary: 'Remove users from a group',
    params: idParams,
    body: z.object({ userIds }),
    reply: confirmation,
  }),
  addChannels: endpoint({
    method: 'POST',
    path: '/groups/:id/channels',
    access: 'canManageUsers',
    summary: 'Give the members of a group access to channels',
    params: idParams,
    body: z.object({ channelIds }),
    reply: groupDetail,
  }),
  removeChannel: endpoint({
    method: 'DELETE',
    path: '/groups/:id/channels/:channelId',
    access: 'canManageUsers',
    summary: 'Remove a channel from a group',
    params: z.object({ id, channelId: id }),
    reply: groupDetail,
  }),
  setPermissions: endpoint({
    method: 'PUT',
    path: '/groups/:id/permissions',
    access: 'system-admin',
    summary: 'Set the permissions that a group gives to administrators',
    params: idParams,
    body: z.object({ permissions: permissionList }),
    reply: groupDetail,
  }),
  accessOfUser: endpoint({
    method: 'GET',
    path: '/users/:id/access',
    access: 'canManageUsers',
    summary: 'List the groups and channels of a user, and where each access comes from',
    params: idParams,
    reply: userAccess,
  }),
  groupsOfChannel: endpoint({
    method: 'GET',
    path: '/channels/:id/groups',
    access: 'canManageUsers',
    summary: 'List the groups that give access to a channel',
    params: idParams,
    query: z.object(pageQuery),
    reply: page(group),
  }),
} as const
