import type { AuditAction } from '@lyceum/contract/audit'

/** The classes of OCSF that the actions are mapped to, by the object that each class requires. */
const authentication = { uid: 3002, category: 3, subject: 'user' } as const
const accountChange = { uid: 3001, category: 3, subject: 'user' } as const
const userAccess = { uid: 3005, category: 3, subject: 'privileges' } as const
const entityManagement = { uid: 3004, category: 3, subject: 'entity' } as const
const groupManagement = { uid: 3006, category: 3, subject: 'group' } as const
const apiActivity = { uid: 6003, category: 6, subject: 'api' } as const

export type OcsfClass =
  | typeof authentication
  | typeof accountChange
  | typeof userAccess
  | typeof entityManagement
  | typeof groupManagement
  | typeof apiActivity

export interface OcsfActivity {
  class: OcsfClass
  /** The number within the class. 99 is “Other”: the action itself then says what was done. */
  id: number
}

const other = 99

const logon = { class: authentication, id: 1 }
const logoff = { class: authentication, id: 2 }
const otherSignIn = { class: authentication, id: other }
const createAccount = { class: accountChange, id: 1 }
const enableAccount = { class: accountChange, id: 2 }
const changePassword = { class: accountChange, id: 3 }
const resetPassword = { class: accountChange, id: 4 }
const disableAccount = { class: accountChange, id: 5 }
const deleteAccount = { class: accountChange, id: 6 }
const otherAccountChange = { class: accountChange, id: other }
const assignPrivileges = { class: userAccess, id: 1 }
const revokePrivileges = { class: userAccess, id: 2 }
const otherAccess = { class: userAccess, id: other }
const create = { class: entityManagement, id: 1 }
const read = { class: entityManagement, id: 2 }
const update = { class: entityManagement, id: 3 }
const remove = { class: entityManagement, id: 4 }
const otherManagement = { class: entityManagement, id: other }
const refusedCall = { class: apiActivity, id: other }

/** Numbers of OCSF 1.8.0. An action without an entry does not compile. */
export const ocsfActivities: Readonly<Record<AuditAction, OcsfActivity>> = {
  'sign-in.ok': logon,
  'sign-in.failed': logon,
  'sign-in.throttled': logon,
  'sign-in.refused': logon,
  'code.sent': otherSignIn,
  'code.failed': logon,
  'sign-out': logoff,
  'session.ended': logoff,
  'browser.forgotten': otherSignIn,
  'password.reset-asked': otherAccountChange,
  'password.reset': resetPassword,
  'password.changed': changePassword,
  'api-key.created': otherAccountChange,
  'api-key.revoked': otherAccountChange,
  'program.connected': otherAccountChange,
  'program.revoked': otherAccountChange,
  'embedding.signed-in': logon,
  'identity.connected': otherAccountChange,
  'identity.disconnected': otherAccountChange,
  'invitation.created': create,
  'invitation.resent': update,
  'invitation.cancelled': remove,
  'invitation.accepted': createAccount,
  'user.created': createAccount,
  'user.renamed': otherAccountChange,
  'user.email-changed': otherAccountChange,
  'user.deactivated': disableAccount,
  'user.activated': enableAccount,
  'user.role-changed': otherAccess,
  'user.rights-changed': otherAccess,
  'user.system-admin-changed': otherAccess,
  'user.sessions-ended': logoff,
  'user.deleted': deleteAccount,
  'access.granted': assignPrivileges,
  'access.revoked': revokePrivileges,
  'access.admin-changed': otherAccess,
  'access.denied': refusedCall,
  'group.created': create,
  'group.changed': update,
  'group.deleted': remove,
  'group.member-added': { class: groupManagement, id: 3 },
  'group.member-removed': { class: groupManagement, id: 4 },
  'group.channel-added': { class: groupManagement, id: 1 },
  'group.channel-removed': { class: groupManagement, id: 2 },
  'group.permissions-changed': { class: groupManagement, id: other },
  'two-factor.changed': otherAccountChange,
  'two-factor.reset': otherAccountChange,
  'two-factor.forced': otherAccountChange,
  'channel.created': create,
  'channel.changed': update,
  'channel.archived': update,
  'channel.restored': update,
  'channel.deleted': remove,
  'channel.embedding-changed': update,
  'channel.wallpaper-set': update,
  'channel.wallpaper-removed': update,
  'chat.shared': update,
  'chat.share-revoked': update,
  'document.uploaded': create,
  'document.approved': update,
  'document.rejected': update,
  'document.rejection-undone': update,
  'document.reindexed': update,
  'document.downloaded': read,
  'document.deleted': remove,
  'document.orphans-removed': remove,
  'test-questions.changed': update,
  'assistant.created': create,
  'assistant.changed': update,
  'assistant.deleted': remove,
  'settings.changed': update,
  'settings.issuer-added': create,
  'settings.issuer-changed': update,
  'settings.issuer-removed': remove,
  'settings.directory-added': create,
  'settings.directory-key-replaced': update,
  'settings.directory-key-revoked': update,
  'settings.directory-removed': remove,
  'settings.receiver-added': create,
  'settings.receiver-changed': update,
  'settings.receiver-removed': remove,
  'settings.webhook-added': create,
  'settings.webhook-changed': update,
  'settings.webhook-removed': remove,
  'settings.background-set': update,
  'settings.background-removed': update,
  'settings.tested': otherManagement,
  'quota.changed': update,
  'retention.applied': remove,
  'retention.visitors-deleted': remove,
  'history.listed': read,
  'history.searched': read,
  'history.read': read,
  'history.exported': read,
  'analytics.read': read,
  'analytics.exported': read,
  'question.resolved': update,
  'question.reopened': update,
  'audit.read': read,
  'audit.exported': read,
  'audit.purged': remove,
  'keys.rotated': otherManagement,
  'job.retried': otherManagement,
  'backup.made': create,
  'backup.failed': create,
  'backup.restored': otherManagement,
  'database.moved': otherManagement,
}
