import * as z from 'zod/mini'
import { linkToken, personName } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { twoFactorForm, twoFactorSettings } from './two-factor.ts'
import { email, id, idParams, instant, list, message, paging } from './wire.ts'

export const invitationStatus = z.enum(['pending', 'accepted', 'expired'])

export const invitation = z.object({
  _id: id,
  email: z.string(),
  fullName: z.string(),
  status: invitationStatus,
  invitedBy: z.nullable(z.object({ _id: z.optional(z.string()), name: z.string() })),
  allowedChannels: z.array(z.string()),
  twoFactorExpiryEnabled: z.boolean(),
  twoFactorExpiryDays: z.number(),
  expiresAt: instant,
  createdAt: instant,
  /** Given once, to whoever invites, where no mail server is configured. */
  link: z.optional(z.string()),
})

export type Invitation = z.output<typeof invitation>

export const invitationInput = z.extend(twoFactorSettings, {
  email,
  fullName: personName('Full name is required'),
  allowedChannels: z.array(id).check(z.maxLength(500)),
})

export type InvitationInput = z.output<typeof invitationInput>

export const invitationForm = z.extend(invitationInput, {
  twoFactorExpiryDays: twoFactorForm.shape.twoFactorExpiryDays,
})
export type InvitationEntries = z.input<typeof invitationForm>

/** What the holder of a link may know of it. */
export const invitationVerification = z.object({
  /** Empty for the set-up invitation when no owner's address is configured: the first person types their own. */
  email: z.string(),
  fullName: z.string(),
  twoFactorExpiryEnabled: z.boolean(),
  twoFactorExpiryDays: z.number(),
  isSetup: z.boolean(),
})
export type InvitationVerification = z.output<typeof invitationVerification>

export const invitationsApi = {
  verify: endpoint({
    method: 'GET',
    path: '/invitations/verify/:token',
    access: 'public',
    limit: 'link',
    summary: 'What an invitation link stands for',
    params: z.object({ token: linkToken }),
    reply: invitationVerification,
  }),
  list: endpoint({
    method: 'GET',
    path: '/invitations',
    access: 'canManageUsers',
    summary: 'The invitations',
    query: z.object(paging),
    reply: list(invitation),
  }),
  create: endpoint({
    method: 'POST',
    path: '/invitations',
    access: 'canCreateUsers',
    summary: 'Invite a person by e-mail',
    body: invitationInput,
    reply: invitation,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/invitations/:id/resend',
    access: 'canCreateUsers',
    summary: 'Send a pending invitation again, with a new link',
    params: idParams,
    reply: invitation,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/invitations/:id',
    access: 'canCreateUsers',
    summary: 'Cancel a pending invitation or delete an expired one',
    params: idParams,
    reply: message,
  }),
} as const
