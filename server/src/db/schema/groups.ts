/** Groups that give channels to users. `groups` is a keyword of SQL. */
export interface UserGroupsTable {
  id: string
  name: string
  /** The name in lower case, so that names differ in more than case. */
  name_key: string
  description: string
  /** JSON list of the permissions that its members have while they are administrators. */
  permissions: string
  created_at: number
}

/** One row for each source of a membership: `hand`, or for example `issuer:<id>`. */
export interface GroupMembersTable {
  group_id: string
  user_id: string
  source: string
  created_at: number
}

export interface GroupChannelsTable {
  group_id: string
  channel_id: string
  created_at: number
}
