import * as z from 'zod/mini'

/** Every error the server can answer with: its status and its words. */
export const errors = {
  'request.malformed': { status: 400, message: 'The request could not be understood.' },
  'validation.failed': { status: 400, message: 'Please check what you entered.' },
  'auth.session_ended': { status: 401, message: 'Your session has ended. Please sign in again.' },
  'auth.invalid_credentials': { status: 401, message: 'Invalid email or password' },
  'auth.admin_only': { status: 403, message: 'Access denied. Admin privileges required.' },
  'auth.code_invalid': { status: 400, message: 'Invalid verification token' },
  'auth.code_not_sent': {
    status: 503,
    message: 'The verification code could not be sent. Please try again later.',
  },
  'auth.reset_invalid': { status: 400, message: 'Invalid reset token' },
  'auth.wrong_password': { status: 400, message: 'The current password is not correct' },
  'auth.password_common': {
    status: 400,
    message: 'This password is too easy to guess. Please choose another one.',
  },
  'auth.busy': {
    status: 503,
    message: 'Too many people are signing in right now. Please try again in a moment.',
  },
  'permission.denied': { status: 403, message: 'You do not have permission to do this' },
  not_found: { status: 404, message: 'This could not be found.' },
  'method.not_allowed': { status: 405, message: 'This call does not exist.' },
  'rate.limited': { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  'request.too_large': { status: 413, message: 'The request is too large.' },
  'request.type': { status: 415, message: 'This content type is not accepted here.' },
  'invitation.invalid': { status: 400, message: 'Invalid or expired invitation' },
  'invitation.expired': { status: 400, message: 'This invitation has expired. Please ask for a new one.' },
  'invitation.used': { status: 400, message: 'This invitation has already been used. Please sign in.' },
  'invitation.email_mismatch': { status: 400, message: 'This invitation was sent to another email address' },
  'invitation.not_pending': { status: 409, message: 'Only a pending invitation can be changed' },
  'user.exists': { status: 409, message: 'A user with this email address already exists' },
  'user.last_admin': { status: 409, message: 'At least one administrator must remain' },
  'user.self_delete': { status: 409, message: 'You cannot delete your own account' },
  'user.invalid_access': { status: 400, message: 'Invalid user or channel selected' },
  'channel.no_documents': { status: 409, message: 'A ready-made assistant channel takes no documents' },
  'document.not_pending': { status: 409, message: 'This document has already been reviewed' },
  'document.not_approved': { status: 409, message: 'Only an approved document can be reindexed' },
  'document.empty': { status: 400, message: 'The file is empty' },
  'document.missing_file': { status: 400, message: 'Please choose a file to upload' },
  'document.type': { status: 415, message: 'Only PDF, DOC, DOCX and TXT files can be uploaded' },
  'document.content': {
    status: 415,
    message:
      'The content of this file does not match its name. Only PDF, DOC, DOCX and TXT files can be uploaded',
  },
  'document.encrypted': {
    status: 400,
    message: 'This document is protected by a password and cannot be read',
  },
  'document.unsafe': {
    status: 400,
    message: 'This document unpacks to far more than its size and was refused',
  },
  'document.name': {
    status: 400,
    message: 'The file name is too long or contains characters that cannot be used',
  },
  'document.too_large': { status: 413, message: 'This file is too large' },
  'document.duplicate': { status: 409, message: 'This channel already has a document with the same content' },
  'document.channel_full': { status: 409, message: 'This channel holds as many documents as it can' },
  'storage.full': { status: 507, message: 'The server has too little free space to store this' },
  'image.type': { status: 400, message: 'Only JPEG, PNG, GIF, or WebP images are allowed.' },
  'image.too_large': { status: 413, message: 'File size must be less than 5MB.' },
  'chat.busy': { status: 409, message: 'The assistant is still answering in this chat' },
  'chat.not_a_reply': { status: 409, message: 'Only a reply of the assistant can be asked for again' },
  'chat.not_a_message': { status: 409, message: 'Only a message of your own can be edited' },
  'chat.interrupted': { status: 503, message: 'The reply was interrupted. Please ask for it again.' },
  'chat.too_many': {
    status: 429,
    message: 'You have two replies running. Please wait for one of them to finish.',
  },
  'assistant.unavailable': { status: 502, message: 'The assistant is not available right now' },
  'assistant.busy': {
    status: 503,
    message: 'The assistant is busy right now. Please try again in a moment.',
  },
  'assistant.timeout': { status: 504, message: 'The assistant took too long to answer' },
  'assistant.not_configured': { status: 502, message: 'This assistant is not configured' },
  'server.busy': { status: 503, message: 'The server is busy. Please try again in a moment.' },
  /** Without words, so that the screen's own fallback shows. */
  internal: { status: 500, message: '' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

export const errorReply = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  /** One sentence for each field that is wrong. */
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.optional(z.string()),
})
export type ErrorReply = z.output<typeof errorReply>
