import * as z from 'zod/mini'
import { linkToken, userName } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { twoFactorForm, twoFactorSettings } from './two-factor.ts'
import { confirmation, email, id, idParams, isoTimestamp, list, paging } from './wire.ts'

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
  expiresAt: isoTimestamp,
  createdAt: isoTimestamp,
  /** Returned once, to the inviting administrator, when no mail server is configured. */
  link: z.optional(z.string()),
})

export type Invitation = z.output<typeof invitation>

export const invitationInput = z.extend(twoFactorSettings, {
  email,
  fullName: userName('Full name is required'),
  allowedChannels: z.array(id).check(z.maxLength(500)),
})

export type InvitationInput = z.output<typeof invitationInput>

export const invitationForm = z.extend(invitationInput, {
  twoFactorExpiryDays: twoFactorForm.shape.twoFactorExpiryDays,
})
export type InvitationEntries = z.input<typeof invitationForm>

/** What the server tells a visitor who holds a valid invitation link. */
export const invitationVerification = z.object({
  /** Empty in a setup invitation when `OWNER_EMAIL` is not set: the first user enters their own address. */
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
    summary: 'Verify an invitation link',
    params: z.object({ token: linkToken }),
    reply: invitationVerification,
  }),
  list: endpoint({
    method: 'GET',
    path: '/invitations',
    access: 'canManageUsers',
    summary: 'List invitations',
    query: z.object(paging),
    reply: list(invitation),
  }),
  create: endpoint({
    method: 'POST',
    path: '/invitations',
    access: 'canCreateUsers',
    summary: 'Invite a user by email',
    body: invitationInput,
    reply: invitation,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/invitations/:id/resend',
    access: 'canCreateUsers',
    summary: 'Resend a pending invitation with a new link',
    params: idParams,
    reply: invitation,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/invitations/:id',
    access: 'canCreateUsers',
    summary: 'Cancel a pending invitation or delete an expired one',
    params: idParams,
    reply: confirmation,
  }),
} as const
