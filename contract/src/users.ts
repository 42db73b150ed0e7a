import * as z from 'zod/mini'
import { password, personName, user } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { permissions, role } from './permissions.ts'
import { idParams, list, message, paging } from './wire.ts'

export const userChange = z.object({
  name: z.optional(personName('Name is required')),
  role: z.optional(role),
})

export const passwordChange = z.object({
  currentPassword: z.string().check(z.minLength(1, 'Current password is required'), z.maxLength(256)),
  newPassword: password,
})

export const usersApi = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    access: 'canManageUsers',
    summary: 'The users',
    query: z.object({ ...paging, search: z.optional(z.string().check(z.maxLength(200))) }),
    reply: list(user),
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
} as const
