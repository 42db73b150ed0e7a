import { refusalWords } from '@lyceum/contract/permissions'

/** What a deed says when it worked and, when the server sent no sentence of its own, when it did not. */
interface Outcome {
  readonly done: string
  readonly failed: string
}

const outcome = (done: string, failed: string): Outcome => ({ done, failed })

/** The words of the product's error catalogue, in its order: docs/product.md, "Messages". */
export const messages = {
  signIn: {
    failed: 'An error occurred',
    adminFailed: 'Invalid administrator credentials',
    notAdmin: 'Access denied. Admin privileges required.',
    codeFailed: 'Invalid verification token',
    noPendingEmail: 'No email found. Please login again.',
    resend: outcome('Another code is on its way.', 'The code could not be sent. Please try again.'),
    expired: 'This sign-in has expired. Please go back and sign in again.',
    linkSent: 'If there is an account for this address, a link is on its way.',
    linkSentAgain: 'Asked for another link. Only the newest one works.',
    invalidResetLink: 'Invalid reset token',
    passwordChanged: 'Your password has been changed. Please sign in.',
  },
  registration: {
    invalidInvitation: 'Invalid or expired invitation',
    failed: 'Registration failed',
    loginFailed: 'An error occurred',
  },
  profile: {
    name: outcome('Name updated successfully', 'Failed to update name'),
    password: outcome('Password updated successfully', 'Failed to update password'),
    endSession: outcome('Signed out there', 'Failed to sign out there'),
    endOthers: outcome('Signed out everywhere else', 'Failed to sign out everywhere else'),
    forgetBrowser: outcome('Browser forgotten', 'Failed to forget this browser'),
  },
  chat: {
    loadChannelFailed: 'Failed to load channel information',
    loadChatsFailed: 'Failed to load chats',
    createFirstFailed: 'Failed to create default chat',
    loadMessagesFailed: 'Failed to load messages',
    sendFailed: 'Failed to send message',
    inputFailed: 'Failed to send message. Please try again.',
    /** Follows the text of a message that did not arrive. */
    notSent: ' (Failed to send)',
    remove: outcome('Chat deleted successfully', 'Failed to delete chat'),
    create: outcome('New chat created', 'Failed to create new chat'),
    documentUploaded: (filename: string) => `Document uploaded: ${filename}`,
  },
  invitations: {
    loadFailed: 'The invitations could not be loaded.',
    send: outcome('Invitation sent successfully', 'Failed to send invitation'),
    resend: outcome('Invitation resent successfully', 'Failed to resend invitation'),
    cancel: outcome('Invitation cancelled successfully', 'Failed to cancel invitation'),
    removeExpired: outcome('Expired invitation deleted successfully', 'Failed to delete expired invitation'),
  },
  users: {
    loadFailed: 'The users could not be loaded.',
    remove: outcome('User deleted successfully', 'Failed to delete user'),
    rename: outcome('User name updated successfully', 'Failed to update user name'),
    promote: outcome('User promoted to admin role', 'Failed to update user role'),
    demote: outcome('User removed from admin role', 'Failed to update user role'),
    channels: outcome('Channel permissions updated successfully', 'Failed to update channel permissions'),
    invalidChannelAccess: 'Invalid user or channel selected',
    rights: outcome('Rights updated successfully', 'Failed to update rights'),
    makeSystemAdmin: outcome(
      'User is now a system administrator',
      'Failed to change the system administrators',
    ),
    endSystemAdmin: outcome(
      'User is no longer a system administrator',
      'Failed to change the system administrators',
    ),
    endSessions: outcome('User signed out everywhere', 'Failed to sign the user out'),
    systemAdminOnly: 'Only a system administrator may do this to a system administrator',
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
  },
  documents: {
    upload: outcome('Document uploaded successfully', 'Failed to upload document'),
    reindex: outcome('Document reindexing started', 'Failed to reindex document'),
    reindexed: 'Document re-indexed successfully',
    approve: outcome('Document approved successfully', 'Failed to approve document'),
    reject: outcome('Document rejected successfully', 'Failed to reject document'),
    remove: outcome('Document deleted successfully', 'Failed to delete document'),
    cleanup: outcome(
      'Orphaned documents cleanup completed successfully',
      'Failed to cleanup orphaned documents',
    ),
    download: outcome('Document downloaded successfully', 'Failed to download document'),
    previewFailed: 'Failed to preview document',
    replace: outcome(
      'New version uploaded. It waits for approval.',
      'The new version could not be uploaded. Please try again.',
    ),
    selectAllFailed: 'The documents could not be listed.',
    loadStorageFailed: 'The disk use could not be loaded.',
  },
  proposals: {
    loadFailed: 'Your proposals could not be loaded.',
    send: outcome(
      'Document proposed. An administrator decides whether the assistant may use it.',
      'Failed to propose the document',
    ),
    withdraw: outcome('Proposal withdrawn', 'Failed to withdraw the proposal'),
  },
  testBench: {
    loadFailed: 'The test questions could not be loaded.',
    loadRunFailed: 'This run could not be loaded.',
    save: outcome('Question saved', 'Failed to save the question'),
    remove: outcome('Question deleted', 'Failed to delete the question'),
    runFailed: 'The questions could not be run.',
    tryFailed: 'The question could not be tried.',
  },
  assistants: {
    loadFailed: 'The ready-made assistants could not be loaded.',
    create: outcome('Assistant created', 'Failed to save the assistant'),
    update: outcome('Assistant updated', 'Failed to save the assistant'),
    remove: outcome('Assistant deleted', 'Failed to delete the assistant'),
    tryFailed: 'The assistant could not be tried.',
    loadModelsFailed: 'The language models could not be loaded.',
    models: outcome('Language models updated', 'Failed to update the language models'),
  },
  permissions: {
    createChannels: refusalWords('canCreateChannels'),
    createUsers: refusalWords('canCreateUsers'),
    editUsers: refusalWords('canEditUsers'),
    deleteUsers: refusalWords('canDeleteUsers'),
    forceReverification: refusalWords('canForce2FAReVerification'),
    manageSettings: refusalWords('canManageSettings'),
  },
  chatHistory: {
    loadFailed: 'Failed to load chat histories. Please try again.',
    loadDetailFailed: 'Failed to load chat details.',
  },
  settings: {
    loadFailed: 'Failed to load settings',
    update: outcome('Settings updated successfully', 'Failed to update settings'),
    uploadBackgroundFailed: 'Failed to upload background image',
    removeBackgroundFailed: 'Failed to remove background image',
  },
} as const
