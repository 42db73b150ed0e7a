import { outcome } from './outcome.ts'

/** The words of the product's error catalogue, in its order (docs/product.md, "Texts"): what is said to everybody who is signed in. */
export const texts = {
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
    editorFailed: 'This could not be loaded. Please check your connection.',
    editFailed: 'Failed to send the edited message',
    askAgainFailed: 'Failed to ask again',
    continueFailed: 'Failed to continue the reply',
    showVersionFailed: 'Failed to show the other version',
    judge: {
      done: 'Thank you for your feedback',
      takenBack: 'Feedback taken back',
      failed: 'Failed to save your feedback',
    },
    /** Follows the text of a message that did not arrive. */
    notSent: ' (Failed to send)',
    remove: outcome('Chat deleted successfully', 'Failed to delete chat'),
    create: outcome('New chat created', 'Failed to create new chat'),
    rename: outcome('Chat renamed', 'Failed to rename chat'),
    exportFailed: 'Failed to export chat',
    searchFailed: 'The search did not succeed.',
    channelGone: 'The channel you were in is no longer open to you.',
    goneElsewhere: 'This chat was deleted in another window or on another device.',
    messageGone: 'This message is not there any more.',
    copyReply: outcome('Reply copied', 'The reply could not be copied'),
    noReplyToCopy: 'There is no reply to copy yet.',
    offline: 'You are offline. What is here can be read; messages can be sent once you are connected again.',
    unreachable: 'The server cannot be reached. Trying again…',
    documentUploaded: (filename: string) => `Document uploaded: ${filename}`,
  },
  wallpaper: {
    notAnImage: 'Please select an image file',
    tooLarge: 'File size must be less than 5MB',
    /** Said in the chat itself, for this visit. */
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
    send: outcome(
      'Document proposed. An administrator decides whether the assistant may use it.',
      'Failed to propose the document',
    ),
    withdraw: outcome('Proposal withdrawn', 'Failed to withdraw the proposal'),
  },
} as const
