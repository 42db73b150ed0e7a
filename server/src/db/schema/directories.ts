import type { Flag } from './column.ts'

/** Directories that create, change and deactivate users and groups with SCIM. */
export interface DirectoriesTable {
  id: string
  name: string
  created_at: number
}

/** The key of a directory. A directory whose key was revoked has none. */
export interface DirectoryKeysTable {
  directory_id: string
  key_hash: string
  /** The beginning of the key. */
  prefix: string
  created_at: number
  last_used_at: number | null
}

/** The users that a directory manages, each by one directory at most, with what it sent. */
export interface DirectoryUsersTable {
  user_id: string
  directory_id: string
  user_name: string
  /** The user name in lower case, which is unique in a directory. */
  user_name_key: string
  external_id: string | null
  display_name: string | null
  formatted_name: string | null
  given_name: string | null
  family_name: string | null
  /** What the directory said about the email address: for example `work`. */
  email_type: string | null
  is_email_primary: Flag | null
  created_at: number
  updated_at: number
}

/** The groups that a directory manages. */
export interface DirectoryGroupsTable {
  group_id: string
  directory_id: string
  external_id: string | null
  /** Incremented with each change of what the directory sees. */
  version: number
  created_at: number
  updated_at: number
}
