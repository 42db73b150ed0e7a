import { maxAttachmentsPerMessage } from '@lyceum/contract/attachments'
import { outcome } from './outcome.ts'

/** Texts for all signed-in users, in the order of the specification's "Error catalogue" (docs/product.md, "Texts"). */
export const texts = {
  profile: {
    name: outcome('Name updated successfully', 'Failed to update name'),
    password: outcome('Password updated successfully', 'Failed to update password'),
    endSession: outcome('Signed out', 'Could not sign out'),
    endOthers: outcome('Signed out everywhere else', 'Could not sign out everywhere else'),
    forgetBrowser: outcome('Browser forgotten', 'Could not forget this browser'),
  },
  apiKeys: {
    loadFailed: 'The API keys could not be loaded.',
    loadChannelsFailed: 'The channels could not be loaded.',
    createFailed: 'Failed to create the API key',
    revoke: outcome('API key revoked', 'Failed to revoke the API key'),
  },
  connectedPrograms: {
    loadFailed: 'The connected programs could not be loaded.',
    requestFailed: 'The request of the program could not be loaded.',
    decideFailed: 'Failed to connect the program',
    disconnect: outcome('Program disconnected', 'Failed to disconnect the program'),
  },
  embedding: {
    notAvailable: 'This chat is not available on that site.',
    notMember: 'You are not a member of this channel. Ask an administrator for access.',
    signInFailed: 'You could not be signed in to the chat',
    goBack: 'Go back to the page with the chat and choose “Sign in” again.',
  },
  chat: {
    loadChannelFailed: 'Failed to load channel information',
    loadChatsFailed: 'Failed to load chats',
    createFirstFailed: 'Failed to create default chat',
    loadMessagesFailed: 'Failed to load messages',
    sendFailed: 'Failed to send message',
    inputFailed: 'Failed to send message. Please try again.',
    waitForReply: 'You can send this once the reply is complete. To send it sooner, stop the reply.',
    loadComponentFailed: 'This part of the page could not be loaded. Please check your connection.',
    editFailed: 'Failed to send the edited message',
    regenerateFailed: 'Failed to regenerate the reply',
    continueFailed: 'Failed to continue the reply',
    showVersionFailed: 'Failed to show the other version',
    rate: {
      done: 'Thank you for your feedback',
      removed: 'Feedback removed',
      failed: 'Failed to save your feedback',
    },
    /** Appended to the text of a message that was not delivered. */
    notSent: ' (Failed to send)',
    remove: outcome('Chat deleted successfully', 'Failed to delete chat'),
    create: outcome('New chat created', 'Failed to create new chat'),
    rename: outcome('Chat renamed', 'Failed to rename chat'),
    pinFailed: 'Failed to pin the chat',
    unpinFailed: 'Failed to unpin the chat',
    share: {
      loadFailed: 'Failed to load the link',
      failed: 'Failed to share the chat',
      revoked: 'The chat is no longer shared',
      revokeFailed: 'Failed to stop sharing the chat',
    },
    /** Why a chat cannot be shared, exported or printed. */
    noMessages: 'This chat has no messages yet.',
    exportFailed: 'Failed to export chat',
    downloadFileFailed: 'Failed to download the file',
    searchFailed: 'Search failed.',
    channelAccessLost: 'You no longer have access to this channel.',
    deletedElsewhere: 'This chat was deleted in another window or on another device.',
    messageDeleted: 'This message no longer exists.',
    cannotAnswer: 'The assistant cannot answer right now.',
    copyReply: outcome('Reply copied', 'The reply could not be copied'),
    copyModel: outcome('Model name copied', 'The model name could not be copied'),
    noReplyToCopy: 'There is no reply to copy yet.',
    /** What the banner says, and what the message field says about its text. */
    offline: {
      banner: 'No connection. Trying to reconnect…',
      field: 'You’re offline. You can send this message once you’re connected.',
    },
    unreachable: {
      banner: 'The server cannot be reached. Trying again…',
      field: 'You can send this message once the server can be reached.',
    },
    archived: 'This channel is archived. You can read, export and delete your chats, but not send messages.',
    newlyArchived:
      'An administrator archived this channel. You can still read, export and delete your chats. Ask an administrator if you need it.',
    unsentDraft: 'Your text was not sent. You can copy it, and this browser keeps it.',
    restored: 'This channel is in use again.',
    documentUploaded: (filename: string) => `Document uploaded: ${filename}`,
  },
  attachments: {
    uploadFailed: 'The file could not be attached',
    removeFailed: 'The file could not be removed',
    type: 'Attach a PDF, DOC, DOCX or TXT file, or a PNG, JPEG, WebP or GIF picture.',
    documentType: 'Attach a PDF, DOC, DOCX or TXT file.',
    noPictures: 'This channel does not take pictures. Attach a PDF, DOC, DOCX or TXT file.',
    notAttached: (names: readonly string[], hint: string) =>
      names.length === 1
        ? `${names[0]} was not attached. ${hint}`
        : `${names.length} files were not attached. ${hint}`,
    duplicate: (name: string) => `${name} is attached already.`,
    tooMany: `You can attach up to ${maxAttachmentsPerMessage} files to a message.`,
    wait: 'You can send this once the files are attached.',
    removeFailedFiles: (count: number) =>
      count === 1
        ? '1 file could not be attached. Remove it to send.'
        : `${count} files could not be attached. Remove them to send.`,
  },
  starters: outcome('Starter questions saved', 'Failed to save the starter questions'),
  wallpaper: {
    notAnImage: 'Please select an image file',
    tooLarge: 'File size must be less than 5MB',
    /** Shown in the chat until the user leaves the page. */
    note: (filename: string) => `Uploaded document: ${filename}`,
    missingFields: 'Document upload failed: Missing required fields',
    network: 'Network error. Please check your connection and try again.',
    server: 'Server error. Please try again later.',
    signedOut: 'Authentication error. Please log in again.',
    notAllowed: 'You do not have permission to upload to this channel.',
    refusedAsTooLarge: 'File is too large. Please upload a smaller file.',
    uploadFailed: 'Failed to upload wallpaper. Please try again.',
    remove: outcome('Wallpaper removed', 'Failed to remove the wallpaper'),
  },
  proposals: {
    loadFailed: 'Your proposals could not be loaded.',
    send: outcome('Document proposed.', 'Failed to propose the document'),
    withdraw: outcome('Proposal withdrawn', 'Failed to withdraw the proposal'),
    approved: (name: string) => `Your document “${name}” was approved. Answers now use it.`,
    rejected: (name: string) => `Your document “${name}” was rejected.`,
    more: (count: number) =>
      count === 1 ? '1 more of your proposals was decided.' : `${count} more of your proposals were decided.`,
  },
} as const
