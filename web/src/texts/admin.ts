import { getRefusalText } from '@lyceum/contract/permissions'
import { formatCount } from '#lib/format-count.ts'
import { outcome } from './outcome.ts'

/** Texts of the admin area, in the order of the specification's "Error catalogue" (docs/product.md, "Texts"). */
export const texts = {
  invitations: {
    loadFailed: 'The invitations could not be loaded.',
    send: outcome('Invitation sent successfully', 'Failed to send invitation'),
    sendSeveralFailed: 'Failed to send the invitations',
    resend: outcome('Invitation resent successfully', 'Failed to resend invitation'),
    cancel: outcome('Invitation cancelled successfully', 'Failed to cancel invitation'),
    removeExpired: outcome('Expired invitation deleted successfully', 'Failed to delete expired invitation'),
  },
  users: {
    loadFailed: 'The users could not be loaded.',
    loadComponentFailed: 'This part of the page could not be loaded. Please check your connection.',
    loadOneFailed: 'The user could not be loaded.',
    remove: outcome('User deleted successfully', 'Failed to delete user'),
    rename: outcome('User name updated successfully', 'Failed to update user name'),
    promote: outcome('User promoted to admin role', 'Failed to update user role'),
    demote: outcome('User removed from admin role', 'Failed to update user role'),
    deactivate: outcome('User deactivated', 'Failed to deactivate the user'),
    activate: outcome('User activated', 'Failed to activate the user'),
    channels: outcome('Channel permissions updated successfully', 'Failed to update channel permissions'),
    invalidChannelAccess: 'Invalid user or channel selected',
    permissions: outcome('Permissions updated successfully', 'Failed to update permissions'),
    makeSystemAdmin: outcome(
      'User is now a system administrator',
      'Failed to make the user a system administrator',
    ),
    removeSystemAdmin: outcome(
      'User is no longer a system administrator',
      'Failed to make the user an ordinary administrator',
    ),
    endSessions: outcome('User signed out everywhere', 'Failed to sign the user out'),
    systemAdminOnly: 'Only a system administrator can change another system administrator',
    notSignedIn: 'This user is not signed in anywhere',
  },
  groups: {
    loadFailed: 'The groups could not be loaded.',
    loadOneFailed: 'The group could not be loaded.',
    systemAdminOnly:
      'Only system administrators can add or remove members and delete this group, because it gives permissions.',
    hiddenChannels:
      'You can’t add or remove members or delete this group, because it gives access to channels that you cannot see.',
    cannotChangeMembers:
      'You can’t change the members of this group, because it gives permissions or channels that are not yours to give.',
    tooMany: 'Choose up to 100 users at a time.',
    created: (name: string) => `Group “${name}” created`,
    createFailed: 'The group could not be created',
    saved: (name: string) => `Group “${name}” saved`,
    saveFailed: 'The group could not be saved',
    removeFailed: 'The group could not be deleted',
    addMembersFailed: 'The members could not be added',
    removeMembersFailed: 'The members could not be removed',
    addedToGroups: (name: string, count: number) => `“${name}” is now in ${formatCount(count, 'more group')}`,
    addToGroupsFailed: (name: string, groups: readonly string[]) =>
      `“${name}” could not be added to ${groups.length === 1 ? `“${groups[0]}”` : formatCount(groups.length, 'group')}`,
    removeFromGroupFailed: (name: string, group: string) => `“${name}” could not be removed from “${group}”`,
    channelAdded: (channel: string, group: string) => `“${channel}” added to “${group}”`,
    channelsAdded: (count: number, group: string) => `${formatCount(count, 'channel')} added to “${group}”`,
    addChannelsFailed: 'The channels could not be added',
    channelRemoved: (channel: string, group: string) => `“${channel}” removed from “${group}”`,
    removeChannelFailed: 'The channel could not be removed',
    permissionsSaved: 'Permissions saved',
    savePermissionsFailed: 'The permissions could not be saved',
    /** Why access to a channel cannot be taken from a user. It outlasts the groups if they were also added by hand. */
    givesAccess: (groups: readonly { name: string }[], isByHand: boolean) => {
      const names = new Intl.ListFormat('en').format(groups.map(({ name }) => `“${name}”`))
      const [giver, place] =
        groups.length === 1
          ? [`The group ${names} gives`, 'the group']
          : [`The groups ${names} give`, 'these groups']
      return isByHand
        ? `${giver} this access, too. Remove the user from ${place} first.`
        : `${giver} this access. Remove the user from ${place} instead.`
    },
  },
  twoFactor: {
    loadFailed: 'The 2FA settings could not be loaded.',
    force: outcome('2FA re-verification forced successfully for user', 'Failed to force 2FA re-verification'),
    update: outcome('User 2FA settings updated successfully', 'Failed to update user 2FA settings'),
    reset: outcome('User 2FA settings reset to global defaults', 'Failed to reset user 2FA settings'),
  },
  channels: {
    create: outcome('Channel created successfully', 'Failed to save channel'),
    update: outcome('Channel updated successfully', 'Failed to save channel'),
    remove: outcome('Channel deleted successfully', 'Failed to delete channel'),
    archive: outcome('Channel archived', 'Failed to archive channel'),
    restore: outcome('Channel restored', 'Failed to restore channel'),
  },
  documents: {
    upload: outcome('Document uploaded successfully', 'Failed to upload document'),
    reindex: outcome('Document reindexing started', 'Failed to reindex document'),
    reindexed: 'Document re-indexed successfully',
    approve: outcome('Document approved successfully', 'Failed to approve document'),
    reject: outcome('Document rejected successfully', 'Failed to reject document'),
    undoReject: outcome('Rejection undone', 'The rejection could not be undone. Please try again.'),
    remove: outcome('Document deleted successfully', 'Failed to delete document'),
    cleanup: outcome(
      'Orphaned documents cleanup completed successfully',
      'Failed to cleanup orphaned documents',
    ),
    download: outcome('Document downloaded successfully', 'Failed to download document'),
    previewFailed: 'Failed to preview document',
    replace: outcome(
      'New version uploaded. It needs approval.',
      'The new version could not be uploaded. Please try again.',
    ),
    selectAllFailed: 'The documents could not be listed.',
    loadStorageFailed: 'The disk usage could not be loaded.',
  },
  testBench: {
    loadFailed: 'The test questions could not be loaded.',
    loadRunFailed: 'This run could not be loaded.',
    save: outcome('Question saved', 'Failed to save the question'),
    remove: outcome('Question deleted', 'Failed to delete the question'),
    runFailed: 'The questions could not be run.',
    tryFailed: 'The question could not be run.',
    compareFailed: 'The test questions could not be asked.',
  },
  assistants: {
    loadFailed: 'The ready-made assistants could not be loaded.',
    create: outcome('Assistant created', 'Failed to save the assistant'),
    update: outcome('Assistant updated', 'Failed to save the assistant'),
    remove: outcome('Assistant deleted', 'Failed to delete the assistant'),
    tryFailed: 'The test failed to run.',
    loadModelsFailed: 'The language models could not be loaded.',
    models: outcome('Language models updated', 'Failed to update the language models'),
  },
  permissions: {
    createChannels: getRefusalText('canCreateChannels'),
    createUsers: getRefusalText('canCreateUsers'),
    editUsers: getRefusalText('canEditUsers'),
    deleteUsers: getRefusalText('canDeleteUsers'),
    forceReverification: getRefusalText('canForce2FAReVerification'),
    manageSettings: getRefusalText('canManageSettings'),
    previewDocuments: getRefusalText('canPreviewDocuments'),
    viewChatHistory: getRefusalText('canViewChatHistory'),
  },
  chatHistory: {
    loadFailed: 'Failed to load chat histories. Please try again.',
    loadDetailFailed: 'Failed to load chat details.',
    loadSummariesFailed: 'Failed to load the summaries. Please try again.',
    export: outcome('Chat histories exported', 'Failed to export the chat histories'),
    exportTruncated: (count: number) =>
      `The file contains only the first ${count.toLocaleString()} messages. Narrow the filters to export the rest.`,
    exportCancelled: 'Export cancelled. Nothing was saved.',
    loadComponentFailed: 'This part of the page could not be loaded. Please check your connection.',
  },
  audit: {
    loadFailed: 'The audit log could not be loaded.',
    export: {
      ...outcome('Audit log exported', 'Failed to export the audit log'),
      empty: 'There are no entries to export.',
    },
  },
  auditStream: {
    loadFailed: 'The receivers could not be loaded.',
    add: outcome('Receiver added', 'The receiver could not be added. Please try again.'),
    change: outcome('Receiver updated', 'The receiver could not be saved. Please try again.'),
    remove: outcome('Receiver removed', 'The receiver could not be removed. Please try again.'),
  },
  webhooks: {
    loadFailed: 'The webhooks could not be loaded.',
    loadDeliveriesFailed: 'The deliveries could not be loaded.',
    add: { failed: 'The webhook could not be added. Please try again.' },
    change: outcome('Webhook updated', 'The webhook could not be saved. Please try again.'),
    remove: outcome('Webhook removed', 'The webhook could not be removed. Please try again.'),
    replaceSecret: { failed: 'The secret could not be replaced. Please try again.' },
    resend: {
      delivered: 'The event was delivered.',
      waiting: 'The event is being sent. The list shows the result.',
      failed: 'The event could not be sent again.',
    },
  },
  analytics: {
    loadFailed: 'The figures could not be loaded.',
    loadQuestionsFailed: 'The questions could not be loaded.',
    resolve: outcome('Question marked as resolved', 'Failed to mark the question as resolved'),
    reopen: outcome('Question reopened', 'Failed to reopen the question'),
    addTestQuestion: {
      done: (channelName: string) =>
        `Added to the test questions of ${channelName}, as one that should be refused`,
      failed: 'Failed to add the test question',
    },
    export: outcome('Table exported', 'Failed to export the table'),
  },
  quotas: {
    loadFailed: 'The limits could not be loaded.',
    update: outcome('Limits updated', 'Failed to update the limits'),
  },
  embedding: {
    loadFailed: 'The sites could not be loaded.',
    update: outcome('Sites saved', 'Failed to save the sites'),
    firstSaved: 'Sites saved. Copy one of these into your page.',
    archived:
      'This channel is archived, so the chat is not available on other sites. Restore the channel first.',
    visitors:
      'Anyone who opens one of these sites can ask questions. Replies quote the documents of this channel and use your language model. Allow it only if all its documents are meant for the public.',
  },
  singleSignOn: {
    loadFailed: 'The issuers could not be loaded.',
    loadMethodsFailed: 'How this user signs in could not be loaded.',
    add: outcome('Issuer added', 'The issuer could not be added. Please try again.'),
    change: outcome('Issuer updated', 'The issuer could not be saved. Please try again.'),
    remove: outcome('Issuer removed', 'The issuer could not be removed. Please try again.'),
    password: outcome('Settings updated successfully', 'Failed to update settings'),
    connect: outcome('User connected', 'The user could not be connected. Please try again.'),
    disconnect: outcome('User disconnected', 'The user could not be disconnected. Please try again.'),
  },
  ldap: {
    loadFailed: 'The directory could not be loaded.',
    add: outcome('Directory added', 'The directory could not be added. Please try again.'),
    change: outcome('Directory updated', 'The directory could not be saved. Please try again.'),
    remove: outcome('Directory removed', 'The directory could not be removed. Please try again.'),
  },
  directories: {
    loadFailed: 'The directories could not be loaded.',
    createFailed: 'The directory could not be connected. Please try again.',
    replaceKeyFailed: 'The key could not be created. Please try again.',
    revokeKey: outcome('Key revoked', 'The key could not be revoked. Please try again.'),
    remove: outcome('Directory disconnected', 'The directory could not be disconnected. Please try again.'),
  },
  settings: {
    loadFailed: 'Failed to load settings',
    update: outcome('Settings updated successfully', 'Failed to update settings'),
    viewOnly:
      'You can view these settings but not change them. Ask a system administrator for the permission to manage settings.',
    uploadBackgroundFailed: 'Failed to upload background image',
    removeBackgroundFailed: 'Failed to remove background image',
  },
  connections: {
    save: outcome('Connection saved', 'Failed to save the connection'),
    savedNotWorking: 'Saved, but the connection failed.',
    remove: outcome('Connection removed', 'Failed to remove the connection'),
    systemAdminOnly: 'Only a system administrator can see and change the connections.',
  },
  status: {
    loadFailed: 'The system status could not be loaded.',
    testFailed: 'The test failed to run.',
    retry: outcome('The job will be retried', 'Failed to retry the job'),
  },
} as const
