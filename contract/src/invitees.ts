import { email } from './wire.ts'

/** How many users can be invited at once. */
export const maxInvitees = 50

const maxNameLength = 120

export interface Invitee {
  email: string
  fullName: string
}

/** Makes a name from an address: ada.lovelace@example.org becomes Ada Lovelace. */
function nameFromAddress(address: string): string {
  const words = (address.split('@')[0] ?? '').split(/[._+\-\d]+/).filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toLocaleUpperCase() + word.slice(1)).join(' ')
  return name === '' ? address : name
}

/** Parses `Ada Lovelace <ada@example.org>`, `"Lovelace, Ada" <…>` or an address alone; null if the address is invalid. */
function parseInvitee(entry: string): Invitee | null {
  const bracket = entry.lastIndexOf('<')
  const isNamed = bracket !== -1 && entry.endsWith('>')
  const address = email.safeParse(isNamed ? entry.slice(bracket + 1, -1) : entry)
  if (!address.success) return null
  const name = isNamed ? entry.slice(0, bracket).replaceAll('"', '').trim() : ''
  const fullName = name === '' ? nameFromAddress(address.data) : name
  return { email: address.data, fullName: fullName.slice(0, maxNameLength) }
}

/** Splits at line breaks, semicolons and commas, but not at commas in quoted names. */
function splitEntries(text: string): string[] {
  const entries = text.match(/(?:"[^"\n]*"|[^,;\n"]|")+/g) ?? []
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

/** Reads pasted addresses. The same address counts once. */
export function parseInvitees(text: string): { invitees: Invitee[]; invalid: string[] } {
  const byEmail = new Map<string, Invitee>()
  const invalid: string[] = []
  for (const entry of splitEntries(text)) {
    const invitee = parseInvitee(entry)
    if (invitee === null) invalid.push(entry)
    else if (!byEmail.has(invitee.email)) byEmail.set(invitee.email, invitee)
  }
  return { invitees: [...byEmail.values()], invalid }
}
