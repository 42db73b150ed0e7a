import { outcome } from './outcome.ts'

/** Texts shown before sign-in, in the order of the specification's "Error catalogue" (docs/product.md, "Texts"). */
export const texts = {
  signIn: {
    failed: 'An error occurred',
    adminFailed: 'Invalid administrator credentials',
    notAdmin: 'Access denied. Admin privileges required.',
    codeFailed: 'Invalid verification token',
    noPendingEmail: 'No email found. Please login again.',
    resend: outcome('Another code is on its way.', 'The code could not be sent. Please try again.'),
    codeCreatedAgain: 'A new code was created. Ask your administrator for it.',
    expired: 'This sign-in has expired. Please go back and sign in again.',
    linkSent: 'If there is an account for this address, a link is on its way.',
    linkSentAgain: 'New link sent. Earlier links no longer work.',
    linkGoesToServer:
      'The link is saved on the server, where an administrator can read it and give it to you.',
    linkSaved:
      'If there is an account for this address, a link is saved on the server. An administrator can read it there and give it to you.',
    linkSavedAgain:
      'If there is an account for this address, a new link is saved on the server. Earlier links no longer work.',
    invalidResetLink: 'Invalid reset token',
    unreachable: 'Signing in this way does not work at the moment. Please try again.',
    passwordChanged: 'Your password has been changed. Please sign in.',
  },
  registration: {
    invalidInvitation: 'Invalid or expired invitation',
    failed: 'Registration failed',
    loginFailed: 'An error occurred',
  },
} as const
