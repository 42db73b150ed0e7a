import * as z from 'zod/mini'
import { password, passwordMaxLength, passwordMinLength, user, userName } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { permissions, role } from './permissions.ts'
import { confirmation, id, idParams, isoTimestamp, list, paging, requiredText } from './wire.ts'

export const userChange = z.object({
  name: z.optional(userName('Name is required')),
  role: z.optional(role),
})

const currentPasswordRequired = 'Current password is required'
export const passwordChange = z.object({
  currentPassword: requiredText(currentPasswordRequired).check(
    z.minLength(1, currentPasswordRequired),
    z.maxLength(256),
  ),
  newPassword: password,
})

export const userNameForm = z.object({ name: userName('Name is required') })

const profilePasswordTooShort = 'Password must be at least 8 characters long'

export const profilePasswordForm = z
  .object({
    currentPassword: passwordChange.shape.currentPassword,
    newPassword: z
      .string()
      .check(
        z.minLength(passwordMinLength, profilePasswordTooShort),
        z.maxLength(passwordMaxLength, 'At most 256 characters'),
      ),
    confirm: z.string(),
  })
  .check(
    z.refine((form) => form.confirm === form.newPassword, {
      error: 'Passwords do not match',
      path: ['confirm'],
    }),
  )

/** A user as administrators see them. */
export const listedUser = z.extend(user, {
  /** Null before the first sign-in. */
  lastSignInAt: z.nullable(isoTimestamp),
  /** Whether signing in needs a code, by the user's own settings or the global ones. */
  twoFactorEnabled: z.boolean(),
  /** Only if the user is deactivated, and so cannot sign in. */
  deactivatedAt: z.optional(isoTimestamp),
})
export type ListedUser = z.output<typeof listedUser>

/** Whether users can sign in. */
export const userStatuses = ['active', 'deactivated'] as const
export type UserStatus = (typeof userStatuses)[number]

export const userSortColumns = ['name', 'lastSignInAt', 'createdAt'] as const

/** A user with the counts that the delete dialog shows. */
export const userDetail = z.extend(listedUser, {
  chatCount: z.number(),
  /** Documents they uploaded; these are kept when the user is deleted. */
  documentCount: z.number(),
  /** Includes the sign-ins on other sites. */
  sessionCount: z.number(),
  /** Who deactivated the user. Omitted for active users, and once the audit log has deleted the entry. */
  deactivatedByName: z.optional(z.string()),
  /** The directory that manages the user. Omitted if there is none. */
  directoryName: z.optional(z.string()),
  /** Whether their chats stay in the chat history after the user is deleted. */
  chatsAreRetained: z.boolean(),
})
export type UserDetail = z.output<typeof userDetail>

export const usersApi = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    access: 'canManageUsers',
    summary: 'List users',
    query: z.object({
      ...paging,
      search: z.optional(z.string().check(z.maxLength(200))),
      role: z.optional(role),
      /** Active and deactivated users if omitted. */
      status: z.optional(z.enum(userStatuses)),
      /** Only the members of this group. */
      groupId: z.optional(id),
      /** Without those who were added to this group by hand. */
      exceptGroupId: z.optional(id),
      sortBy: z._default(z.enum(userSortColumns), 'name'),
      /** Users who have never signed in are last when sorting in descending order. */
      sortOrder: z._default(z.enum(['asc', 'desc']), 'asc'),
    }),
    reply: list(listedUser),
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/:id',
    access: 'canManageUsers',
    summary: 'Get a user with counts of their data',
    params: idParams,
    reply: userDetail,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/users/:id',
    access: 'signed-in',
    summary: 'Change your own name, or as an administrator the name or role of a user',
    params: idParams,
    body: userChange,
    reply: user,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/users/:id/change-password',
    access: 'signed-in',
    summary: 'Change your own password',
    isHeavy: true,
    params: idParams,
    body: passwordChange,
    reply: confirmation,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/:id',
    access: 'canDeleteUsers',
    summary: 'Delete a user',
    params: idParams,
    reply: confirmation,
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/users/:id/sessions',
    access: 'canEditUsers',
    summary: 'Sign a user out on all devices',
    params: idParams,
    reply: confirmation,
  }),
  setActive: endpoint({
    method: 'PUT',
    path: '/users/:id/active',
    access: 'system-admin',
    summary: 'Deactivate a user, who can then not sign in, or activate them again',
    params: idParams,
    body: z.object({ isActive: z.boolean() }),
    reply: userDetail,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/users/:id/permissions',
    access: 'system-admin',
    summary: 'Get the permissions of an administrator, without those that groups give',
    params: idParams,
    reply: permissions,
  }),
  setPermissions: endpoint({
    method: 'PUT',
    path: '/users/:id/permissions',
    access: 'system-admin',
    summary: 'Change the permissions of an administrator',
    params: idParams,
    body: permissions,
    reply: permissions,
  }),
  setSystemAdmin: endpoint({
    method: 'PUT',
    path: '/users/:id/system-admin',
    access: 'system-admin',
    summary: 'Make an administrator a system administrator, or take that role away',
    params: idParams,
    body: z.object({ isSystemAdmin: z.boolean() }),
    reply: user,
  }),
} as const
