import { protocolErrors } from './protocol-errors.ts'

/** Every error code: its HTTP status and its text. */
export const errors = {
  ...protocolErrors,
  'request.malformed': { status: 400, message: 'The request is not valid.' },
  'request.key_reused': {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request.',
  },
  'validation.failed': { status: 400, message: 'Please check what you entered.' },
  'auth.session_ended': { status: 401, message: 'Your session has ended. Please sign in again.' },
  'auth.invalid_credentials': { status: 401, message: 'Invalid email or password' },
  'auth.deactivated': {
    status: 403,
    message: 'Your account is deactivated. Ask an administrator to activate it.',
  },
  'auth.admin_only': { status: 403, message: 'Access denied. Admin privileges required.' },
  'auth.code_invalid': { status: 400, message: 'Invalid verification token' },
  'auth.code_not_sent': {
    status: 503,
    message: 'The verification code could not be sent. Please try again later.',
  },
  'auth.code_limit': {
    status: 429,
    message: 'Too many codes were sent to this account. Please try again later.',
  },
  'auth.code_cool_down': { status: 429, message: 'Please wait a moment before you request another code.' },
  'auth.reset_used': {
    status: 400,
    message: 'This link has already been used. Please request a new one.',
  },
  'auth.reset_expired': { status: 400, message: 'This link has expired. Please request a new one.' },
  'auth.reset_invalid': { status: 400, message: 'Invalid reset token' },
  'auth.wrong_password': { status: 400, message: 'The current password is not correct' },
  'auth.password_common': {
    status: 400,
    message: 'This password is too easy to guess. Please choose another one.',
  },
  'auth.password_breached': {
    status: 400,
    message: 'This password has appeared in a data breach. Please choose another one.',
  },
  'auth.busy': {
    status: 503,
    message: 'Too many users are signing in right now. Please try again in a moment.',
  },
  'auth.password_off': {
    status: 401,
    message: 'Signing in with a password is switched off. Please use single sign-on.',
  },
  /** As `auth.password_off`, for pages on which a 401 would end the session. */
  'auth.password_unavailable': {
    status: 403,
    message: 'Signing in with a password is switched off. Please use single sign-on.',
  },
  'sso.unreachable': {
    status: 503,
    message: 'The sign-in service does not respond. Please try again in a moment.',
  },
  'sso.not_set_up': {
    status: 503,
    message: 'Signing in this way does not work at the moment. Please tell your administrator.',
  },
  'sso.expired': {
    status: 400,
    message: 'This sign-in has expired, or it began in another browser. Please start again.',
  },
  'sso.refused': { status: 400, message: 'The sign-in service did not sign you in.' },
  'sso.failed': {
    status: 400,
    message: 'The response of the sign-in service is not valid. Please start again.',
  },
  'sso.unverified': {
    status: 403,
    message: 'The sign-in service has not confirmed your email address. Please ask your administrator.',
  },
  'sso.no_account': {
    status: 403,
    message: 'There is no account for you yet. Please ask an administrator to invite you.',
  },
  'sso.connect_admin': {
    status: 403,
    message: 'A system administrator must connect the account of an administrator to single sign-on first.',
  },
  'sso.already_connected': {
    status: 403,
    message:
      'The account with your email address is connected to someone else at the sign-in service. Please ask your administrator.',
  },
  'sso.logout_invalid': { status: 400, message: 'The logout token is not valid.' },
  'sso.issuer_exists': { status: 409, message: 'There is already an issuer with this short name.' },
  'sso.issuer_limit': { status: 409, message: 'There can be up to 20 issuers.' },
  'audit.receiver_limit': { status: 409, message: 'There can be up to 5 receivers.' },
  'webhook.limit': { status: 409, message: 'There can be up to 10 webhooks.' },
  'webhook.unreadable': {
    status: 409,
    message:
      'This webhook cannot be decrypted with the keys of this installation. Remove it and add it again.',
  },
  'sso.subject_taken': { status: 409, message: 'This subject is already connected to a user.' },
  'sso.no_issuer': {
    status: 409,
    message: 'Add an issuer before you switch off signing in with a password.',
  },
  'sso.last_issuer': {
    status: 409,
    message: 'Switch on signing in with a password before you remove the last issuer.',
  },
  'sso.no_break_glass': {
    status: 409,
    message: 'Create an emergency administrator first: npx lyceum admin create --break-glass',
  },
  'origin.not_allowed': { status: 403, message: 'Pages of other addresses cannot call this address.' },
  'program.unknown': {
    status: 400,
    message: 'This program is not known here, or no longer. Start again in the program.',
  },
  'program.address': {
    status: 400,
    message: 'The program wants to send you to an address that it has not registered. Do not continue.',
  },
  'program.limit': {
    status: 409,
    message: 'You can connect up to 20 programs. Disconnect one on your profile page first.',
  },
  'embedding.site': {
    status: 403,
    message: 'This channel cannot be used on this site. Ask an administrator to add the site to it.',
  },
  'embedding.visitor_limit': {
    status: 429,
    message: 'This chat cannot take more visitors today. Please try again tomorrow.',
  },
  'permission.denied': { status: 403, message: 'You do not have permission to do this' },
  not_found: { status: 404, message: 'Not found. It may have been deleted, or you do not have access.' },
  'method.not_allowed': { status: 405, message: 'This API call does not exist.' },
  'rate.limited': { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  'request.too_large': { status: 413, message: 'The request is too large.' },
  'request.type': { status: 415, message: 'This content type is not supported.' },
  'invitation.invalid': { status: 400, message: 'Invalid or expired invitation' },
  'invitation.expired': {
    status: 400,
    message: 'This invitation has expired. Please ask your administrator for a new one.',
  },
  'invitation.used': { status: 400, message: 'This invitation has already been used. Please sign in.' },
  'invitation.email_mismatch': { status: 400, message: 'This invitation was sent to another email address' },
  'invitation.exists': { status: 409, message: 'This email address has already been invited' },
  'invitation.not_pending': { status: 409, message: 'Only a pending invitation can be changed' },
  'invitation.limit': {
    status: 429,
    message: 'This invitation has reached its daily limit of emails. Please try again tomorrow.',
  },
  /** For calls by which programs name a channel as a model. */
  model_not_found: { status: 404, message: 'The model does not exist.' },
  'api_key.invalid': { status: 401, message: 'The API key is missing, not valid, or has ended.' },
  'api_key.scope': { status: 403, message: 'This API key may not do this.' },
  'api_key.limit': { status: 409, message: 'A user can have up to 20 API keys. Revoke one first.' },
  'user.exists': { status: 409, message: 'A user with this email address already exists' },
  'user.last_admin': { status: 409, message: 'At least one administrator must remain' },
  'user.last_system_admin': { status: 409, message: 'At least one system administrator must remain' },
  'user.system_admin_only': {
    status: 403,
    message: 'Only a system administrator can change another system administrator',
  },
  'user.not_admin': {
    status: 409,
    message: 'This user is not an administrator, so there are no permissions to change',
  },
  'user.self_deactivate': { status: 409, message: 'You cannot deactivate your own account' },
  'user.self_delete': { status: 409, message: 'You cannot delete your own account' },
  'user.invalid_access': { status: 400, message: 'Invalid user or channel selected' },
  'directory.limit': { status: 409, message: 'There can be up to 5 directories' },
  'group.exists': { status: 409, message: 'There is already a group with this name' },
  'group.system_admin_only': {
    status: 403,
    message: 'This group gives permissions, so only a system administrator can do this',
  },
  'group.hidden_channels': {
    status: 403,
    message: 'This group gives access to channels that you cannot see. Ask someone who can manage channels.',
  },
  'group.channel_limit': { status: 409, message: 'A group can have up to 100 channels' },
  'group.unknown_user': {
    status: 400,
    message: 'One of these users no longer exists. Nobody was added or removed.',
  },
  'group.unknown_channel': { status: 400, message: 'One of these channels does not exist' },
  'group.gives_access': {
    status: 409,
    message: 'A group gives this access. Remove the user from the group instead.',
  },
  'group.gives_permissions': {
    status: 403,
    message: 'A group gives this user permissions that you do not have. Ask a system administrator.',
  },
  'channel.archived': {
    status: 409,
    message: 'This channel is archived. You can read its chats, but nothing can be added to it.',
  },
  'channel.no_documents': { status: 409, message: 'Ready-made assistant channels do not use documents' },
  'channel.no_proposals': { status: 403, message: 'This channel does not accept document proposals' },
  'channel.no_attachments': {
    status: 403,
    message: 'Files cannot be attached to questions in this channel',
  },
  'channel.no_pictures': {
    status: 403,
    message: 'Pictures cannot be attached to questions in this channel',
  },
  'attachment.unknown': {
    status: 409,
    message: 'A file of this message no longer exists or was already sent. Please attach it again.',
  },
  'attachment.sent': { status: 409, message: 'This file was already sent. It is deleted with its chat.' },
  'attachment.unreadable': { status: 422, message: 'This file could not be read.' },
  'attachment.too_long': {
    status: 422,
    message: 'The files of this chat have too much text. Please attach a shorter file or start a new chat.',
  },
  'picture.unreadable': {
    status: 422,
    message: 'This picture is damaged. Please attach another one.',
  },
  'picture.too_large': { status: 413, message: 'A picture can have at most 5 MB' },
  'picture.too_many_pixels': {
    status: 422,
    message: 'A picture can be at most 8,000 pixels wide and 8,000 pixels high',
  },
  'attachment.chat_full': {
    status: 409,
    message: 'This chat has reached its limit of files. Please start a new chat.',
  },
  'document.not_pending': { status: 409, message: 'This document has already been reviewed' },
  'document.not_rejected': { status: 409, message: 'This document is no longer rejected' },
  'document.rejected_by_other': {
    status: 409,
    message: 'Another administrator rejected this document. Only they can undo it.',
  },
  'document.undo_expired': {
    status: 409,
    message: 'It is too late to undo this rejection. Upload the file as a new version instead.',
  },
  'document.replaced': {
    status: 409,
    message: 'This document has a new version. Please review that version first.',
  },
  'document.version_released': { status: 404, message: 'The file of this version is no longer available' },
  'document.proposals_full': {
    status: 409,
    message: 'You have reached the limit of pending proposals in this channel',
  },
  'document.not_approved': { status: 409, message: 'Only an approved document can be reindexed' },
  'document.empty': { status: 400, message: 'The file is empty.' },
  'document.missing_file': { status: 400, message: 'Please choose a file to upload' },
  'document.type': { status: 415, message: 'Only PDF, DOC, DOCX and TXT files can be uploaded.' },
  'document.content': {
    status: 415,
    message:
      'The content of this file does not match its name. Only PDF, DOC, DOCX and TXT files can be uploaded.',
  },
  'document.encrypted': {
    status: 400,
    message: 'This document is password-protected and cannot be read.',
  },
  'document.unsafe': {
    status: 400,
    message: 'This document expands to an unsafe size and was rejected.',
  },
  'document.name': {
    status: 400,
    message: 'The file name is too long or contains invalid characters',
  },
  'document.too_large': { status: 413, message: 'This file is too large.' },
  'document.duplicate': {
    status: 409,
    message: 'This channel already has a document with the same content.',
  },
  'document.channel_full': { status: 409, message: 'This channel has reached its document limit' },
  'test.full': { status: 409, message: 'A channel can have at most 200 test questions' },
  'test.no_questions': { status: 409, message: 'Add a test question first' },
  'test.duplicate': { status: 409, message: 'This question is already one of the channel’s test questions' },
  'test.running': {
    status: 409,
    message: 'A test run for this channel is already in progress. Please try again in a moment.',
  },
  'storage.full': { status: 507, message: 'The server does not have enough disk space to store this' },
  'storage.unavailable': {
    status: 503,
    message: 'Files cannot be stored or opened right now. Please try again in a moment.',
  },
  'search.unavailable': {
    status: 503,
    message: 'Documents cannot be searched right now. Please try again in a moment.',
  },
  'image.missing': { status: 400, message: 'Please select an image file' },
  'image.type': { status: 400, message: 'Only JPEG, PNG, GIF, or WebP images are allowed.' },
  'image.unreadable': { status: 400, message: 'This image could not be read. Please choose another one.' },
  'image.too_large': { status: 413, message: 'File size must be less than 5MB.' },
  'chat.busy': { status: 409, message: 'The assistant is still answering in this chat' },
  'chat.not_a_reply': { status: 409, message: 'Only an assistant reply can be regenerated' },
  'chat.not_a_message': { status: 409, message: 'You can only edit your own messages' },
  'chat.cannot_continue': {
    status: 409,
    message: 'This reply cannot be continued. Please regenerate it.',
  },
  'chat.not_finished': { status: 409, message: 'The reply is still being written' },
  'chat.interrupted': { status: 503, message: 'The reply was interrupted. Please try again.' },
  'chat.nothing_to_share': { status: 409, message: 'This chat has no messages to share yet' },
  'chat.too_many_pinned': { status: 409, message: 'You can pin up to 10 chats in a channel' },
  'chat.too_many': {
    status: 429,
    message: 'You have two replies running. Please wait for one of them to finish.',
  },
  // The server adds the size of the limit and when it resets.
  'quota.messages': { status: 429, message: 'You have reached your message limit for today.' },
  'quota.tokens': { status: 429, message: 'You have reached your token limit for this month.' },
  'quota.channel_messages': { status: 429, message: 'This channel has reached its message limit for today.' },
  'quota.channel_tokens': {
    status: 429,
    message: 'This channel has reached its token limit for this month.',
  },
  'assistant.cut': { status: 502, message: 'The reply reached the maximum length for this model.' },
  'assistant.unavailable': {
    status: 502,
    message:
      'The assistant is not available. Try again in a few minutes. If this continues, contact an administrator.',
  },
  'assistant.busy': {
    status: 503,
    message: 'The assistant is busy right now. Please try again in a moment.',
  },
  'assistant.timeout': {
    status: 504,
    message: 'The assistant took too long to answer. Try again in a few minutes.',
  },
  'assistant.not_configured': {
    status: 502,
    message: 'This assistant is not configured. An administrator has to set it up.',
  },
  'assistant.gone': {
    status: 502,
    message: 'This assistant no longer exists. An administrator has to choose another one.',
  },
  'assistant.wants_tools': {
    status: 502,
    message: 'This assistant requires tools that are not supported here',
  },
  'assistant.no_model': {
    status: 409,
    message: 'No model is connected. Connect one in the settings, then try again.',
  },
  'assistant.exists': { status: 409, message: 'A ready-made assistant with this ID already exists' },
  'assistant.in_use': { status: 409, message: 'A channel uses this assistant' },
  'assistant.full': { status: 409, message: 'The maximum number of ready-made assistants has been reached' },
  // The server names the variables.
  'connection.from_environment': {
    status: 409,
    message: 'These values are set on the server and cannot be changed here.',
  },
  'history.exporting': {
    status: 409,
    message: 'You already have an export running. Please wait until it finishes.',
  },
  'audit.unavailable': {
    status: 503,
    message: 'The audit log could not be written, so nothing was changed. Please try again.',
  },
  'server.busy': { status: 503, message: 'The server is busy. Please try again in a moment.' },
  /** No text, so that the screen shows its own fallback. */
  internal: { status: 500, message: '' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors
