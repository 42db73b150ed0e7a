import { outcome } from './outcome.ts'

/** The words of the product's error catalogue, in its order (docs/product.md, "Messages"): what is said to everybody who is signed in. */
export const messages = {
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
    editFailed: 'Failed to send the edited message',
    askAgainFailed: 'Failed to ask again',
    continueFailed: 'Failed to continue the reply',
    showVersionFailed: 'Failed to show the other version',
    judge: {
      done: 'Thank you for your feedback',
      takenBack: 'Feedback taken back',
      failed: 'Failed to save your feedback',
    },
    feedbackReasons: {
      incorrect: 'It is not correct',
      'not-in-sources': 'The sources do not say so',
      incomplete: 'Something is missing',
      'off-topic': 'It does not answer the question',
      unclear: 'It is hard to understand',
      other: 'Something else',
    },
    /** Follows the text of a message that did not arrive. */
    notSent: ' (Failed to send)',
    remove: outcome('Chat deleted successfully', 'Failed to delete chat'),
    create: outcome('New chat created', 'Failed to create new chat'),
    documentUploaded: (filename: string) => `Document uploaded: ${filename}`,
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
