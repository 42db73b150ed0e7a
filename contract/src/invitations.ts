import * as z from 'zod/mini'
import { linkToken, userName } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { maxInvitees, parseInvitees } from './invitees.ts'
import { role } from './permissions.ts'
import { twoFactorForm, twoFactorSettings } from './two-factor.ts'
import { confirmation, email, id, idParams, isoTimestamp, list, paging } from './wire.ts'

export const invitationStatus = z.enum(['pending', 'accepted', 'expired'])

export const invitation = z.object({
  _id: id,
  email: z.string(),
  fullName: z.string(),
  status: invitationStatus,
  invitedBy: z.nullable(z.object({ _id: z.optional(z.string()), name: z.string() })),
  /** The role that the user gets on registration. */
  role,
  allowedChannels: z.array(z.string()),
  twoFactorExpiryEnabled: z.boolean(),
  twoFactorExpiryDays: z.number(),
  expiresAt: isoTimestamp,
  createdAt: isoTimestamp,
  /** Returned once, to the inviting administrator, when no mail server is configured. */
  link: z.optional(z.string()),
})

export type Invitation = z.output<typeof invitation>

/** What several invitations have in common. */
const sharedFields = {
  /** Only users who may promote users can invite an administrator. */
  role: z.optional(role),
  allowedChannels: z.array(id).check(z.maxLength(500)),
}

const invitee = {
  email,
  fullName: userName('Full name is required'),
}

export const invitationInput = z.extend(twoFactorSettings, { ...invitee, ...sharedFields })

export type InvitationInput = z.output<typeof invitationInput>

export const invitationsInput = z.extend(twoFactorSettings, {
  invitees: z.array(z.object(invitee)).check(z.minLength(1), z.maxLength(maxInvitees)),
  ...sharedFields,
})
export type InvitationsInput = z.output<typeof invitationsInput>

/** What became of one address. */
export const invitationResult = z.object({
  email: z.string(),
  /** Null if the address was not invited. */
  invitation: z.nullable(invitation),
  /** Why it was not invited, as a sentence. */
  refusal: z.nullable(z.string()),
})
export type InvitationResult = z.output<typeof invitationResult>

export const invitationForm = z.extend(invitationInput, {
  twoFactorExpiryDays: twoFactorForm.shape.twoFactorExpiryDays,
})
export type InvitationEntries = z.input<typeof invitationForm>

/** The field for the addresses of several users. */
const addresses = z.string().check((context) => {
  const { invitees, invalid } = parseInvitees(context.value)
  const message =
    invalid.length > 0
      ? `Invalid email address: ${invalid.slice(0, 3).join(', ').slice(0, 200)}`
      : invitees.length === 0
        ? 'Enter at least one email address'
        : invitees.length > maxInvitees
          ? `Invite at most ${maxInvitees} users at once. There are ${invitees.length} addresses.`
          : null
  if (message !== null) context.issues.push({ code: 'custom', message, input: context.value })
})

export const invitationsForm = z.extend(z.omit(invitationsInput, { invitees: true }), {
  addresses,
  twoFactorExpiryDays: twoFactorForm.shape.twoFactorExpiryDays,
})

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
  createSeveral: endpoint({
    method: 'POST',
    path: '/invitations/bulk',
    access: 'canCreateUsers',
    summary: 'Invite several users by email; each address has its own result',
    body: invitationsInput,
    reply: z.object({ results: z.array(invitationResult) }),
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
