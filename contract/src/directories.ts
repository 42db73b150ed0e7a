import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, isoTimestamp, singleLine } from './wire.ts'

export const directoryMaximum = 5

/** What directories call, below the address of this installation. */
export const scimPath = '/scim/v2'

export const directoryInput = z.object({ name: singleLine(60, 'Enter a name.') })
export type DirectoryInput = z.output<typeof directoryInput>

/** A directory that creates, changes and deactivates users and groups with SCIM. */
export const directory = z.object({
  _id: id,
  name: z.string(),
  createdAt: isoTimestamp,
  /** Null if the key was revoked. */
  key: z.nullable(
    z.object({
      /** The beginning of the key, by which it can be recognized. */
      prefix: z.string(),
      createdAt: isoTimestamp,
      lastUsedAt: z.nullable(isoTimestamp),
    }),
  ),
  userCount: z.number(),
  groupCount: z.number(),
})
export type Directory = z.output<typeof directory>

export const directories = z.object({
  directories: z.array(directory),
  /** The address that directories call. */
  scimUrl: z.string(),
})
export type Directories = z.output<typeof directories>

/** `key` is shown this once. Only its hash is stored. */
export const directoryKey = z.object({ name: z.string(), scimUrl: z.string(), key: z.string() })
export type DirectoryKey = z.output<typeof directoryKey>

export const directoriesApi = {
  list: endpoint({
    method: 'GET',
    path: '/settings/directories',
    access: 'system-admin',
    summary: 'List the directories that manage users, without their keys',
    reply: directories,
  }),
  create: endpoint({
    method: 'POST',
    path: '/settings/directories',
    access: 'system-admin',
    summary: 'Connect a directory and create its key',
    body: directoryInput,
    reply: directoryKey,
  }),
  replaceKey: endpoint({
    method: 'POST',
    path: '/settings/directories/:id/key',
    access: 'system-admin',
    summary: 'Create a new key for a directory, which ends the earlier one',
    params: idParams,
    reply: directoryKey,
  }),
  revokeKey: endpoint({
    method: 'DELETE',
    path: '/settings/directories/:id/key',
    access: 'system-admin',
    summary: 'Revoke the key of a directory',
    params: idParams,
    reply: directories,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/settings/directories/:id',
    access: 'system-admin',
    summary: 'Disconnect a directory; its users and groups stay',
    params: idParams,
    reply: directories,
  }),
} as const
