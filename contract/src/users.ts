import * as z from 'zod/mini'
import { password, passwordMaxLength, passwordMinLength, personName, user } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { permissions, role } from './permissions.ts'
import { idParams, instant, list, message, paging } from './wire.ts'

export const userChange = z.object({
  name: z.optional(personName('Name is required')),
  role: z.optional(role),
})

export const passwordChange = z.object({
  currentPassword: z.string().check(z.minLength(1, 'Current password is required'), z.maxLength(256)),
  newPassword: password,
})

export const userNameForm = z.object({ name: personName('Name is required') })

const profilePasswordWords = 'Password must be at least 8 characters long'

export const profilePasswordForm = z
  .object({
    currentPassword: passwordChange.shape.currentPassword,
    newPassword: z
      .string()
      .check(
        z.minLength(passwordMinLength, profilePasswordWords),
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

/** A user with what would go if they were deleted. */
export const userDetail = z.extend(user, {
  lastSeenAt: z.nullable(instant),
  chatCount: z.number(),
  /** Documents they uploaded; these stay. */
  documentCount: z.number(),
  sessionCount: z.number(),
  /** Whether their chats stay in the chat history when they are deleted. */
  chatsAreRetained: z.boolean(),
})
export type UserDetail = z.output<typeof userDetail>

export const usersApi = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    access: 'canManageUsers',
    summary: 'The users',
    query: z.object({ ...paging, search: z.optional(z.string().check(z.maxLength(200))) }),
    reply: list(user),
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/:id',
    access: 'canManageUsers',
    summary: 'A user, with what belongs to them',
    params: idParams,
    reply: userDetail,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/users/:id',
    access: 'signed-in',
    summary: 'Change one’s own name, or as an administrator a user’s name or role',
    params: idParams,
    body: userChange,
    reply: user,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/users/:id/change-password',
    access: 'signed-in',
    summary: 'Change one’s own password',
    params: idParams,
    body: passwordChange,
    reply: message,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/:id',
    access: 'canDeleteUsers',
    summary: 'Delete a user',
    params: idParams,
    reply: message,
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/users/:id/sessions',
    access: 'canEditUsers',
    summary: 'Sign a user out everywhere',
    params: idParams,
    reply: message,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/users/:id/permissions',
    access: 'system-admin',
    summary: 'An administrator’s effective rights',
    params: idParams,
    reply: permissions,
  }),
  setPermissions: endpoint({
    method: 'PUT',
    path: '/users/:id/permissions',
    access: 'system-admin',
    summary: 'Change an administrator’s rights',
    params: idParams,
    body: permissions,
    reply: permissions,
  }),
  setSystemAdmin: endpoint({
    method: 'PUT',
    path: '/users/:id/system-admin',
    access: 'system-admin',
    summary: 'Make an administrator a system administrator, or an ordinary administrator again',
    params: idParams,
    body: z.object({ isSystemAdmin: z.boolean() }),
    reply: user,
  }),
} as const
