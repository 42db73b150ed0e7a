import { readName } from '../single-sign-on/claims.ts'
import { createVersion } from './responses.ts'
import { type UserInput, userSchema } from './user-input.ts'
import type { DirectoryUser } from './user-store.ts'

/** What the directory has said about the user, and what has been changed since. */
export function toInput(user: DirectoryUser): UserInput {
  return {
    userName: user.user_name,
    externalId: user.external_id,
    displayName: user.display_name,
    formattedName: user.formatted_name,
    givenName: user.given_name,
    familyName: user.family_name,
    email: user.email,
    emailType: user.email_type,
    isEmailPrimary: user.is_email_primary === null ? null : user.is_email_primary === 1,
    isActive: user.deactivated_at === null,
  }
}

/** The name that Lyceum shows. */
export function chooseName({ displayName, formattedName, givenName, familyName, email }: UserInput): string {
  const claims = { name: displayName ?? formattedName, given_name: givenName, family_name: familyName }
  return readName(claims, email)
}

/** The columns that store what a directory says about a user. */
export function toColumns(input: UserInput) {
  return {
    user_name: input.userName,
    user_name_key: input.userName.toLowerCase(),
    external_id: input.externalId,
    display_name: input.displayName,
    formatted_name: input.formattedName,
    given_name: input.givenName,
    family_name: input.familyName,
    email_type: input.emailType,
    is_email_primary:
      input.isEmailPrimary === null ? null : input.isEmailPrimary ? (1 as const) : (0 as const),
  }
}

function omitNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** A user in the form of SCIM, with the version. */
export function presentUser(user: DirectoryUser, scimUrl: string) {
  const input = toInput(user)
  const name = omitNulls({
    formatted: input.formattedName,
    familyName: input.familyName,
    givenName: input.givenName,
  })
  const attributes = {
    schemas: [userSchema],
    id: user.id,
    ...omitNulls({ externalId: input.externalId, userName: input.userName, displayName: input.displayName }),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    active: input.isActive,
    emails: [omitNulls({ value: input.email, type: input.emailType, primary: input.isEmailPrimary })],
  }
  const version = createVersion(attributes)
  const location = `${scimUrl}/Users/${user.id}`
  const meta = {
    resourceType: 'User',
    created: new Date(user.created_at).toISOString(),
    lastModified: new Date(user.updated_at).toISOString(),
    location,
    version,
  }
  return { resource: { ...attributes, meta }, version, location }
}
