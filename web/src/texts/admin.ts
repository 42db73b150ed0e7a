import { getRefusalText } from '@lyceum/contract/permissions'
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
    export: outcome('Audit log exported', 'Failed to export the audit log'),
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
    savedNotWorking: 'Saved, but it does not work yet.',
    remove: outcome('Connection removed', 'Failed to remove the connection'),
    systemAdminOnly: 'Only a system administrator can see and change the connections.',
  },
  status: {
    loadFailed: 'The system status could not be loaded.',
    testFailed: 'The test failed to run.',
    retry: outcome('The job will be retried', 'Failed to retry the job'),
  },
} as const
