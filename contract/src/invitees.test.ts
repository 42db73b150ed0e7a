import { describe, expect, it } from 'vitest'
import { parseInvitees } from './invitees.ts'

describe('parseInvitees', () => {
  it('returns nothing for blank text', () => {
    expect(parseInvitees(' \n,; ')).toEqual({ invitees: [], invalid: [] })
  })

  it('collects what is not an address', () => {
    expect(parseInvitees('ada@example.org, nobody, <x>, a@b@c').invalid).toEqual(['nobody', '<x>', 'a@b@c'])
  })

  it.each([
    ['ada.lovelace@example.org', 'Ada Lovelace'],
    ['GRACE_hopper-1906@example.org', 'Grace Hopper'],
    ['1906@example.org', '1906@example.org'],
    ['Ada Lovelace <ada@example.org>', 'Ada Lovelace'],
    ['"Lovelace, Ada" <ada@example.org>', 'Lovelace, Ada'],
    ['<ada@example.org>', 'Ada'],
  ])('reads the name of %s', (text, fullName) => {
    expect(parseInvitees(text).invitees.map((invitee) => invitee.fullName)).toEqual([fullName])
  })

  it('splits at line breaks, commas and semicolons, and counts the same address once', () => {
    const { invitees, invalid } = parseInvitees('a@x.org\nB@x.org;b@x.org, "C, D" <c@x.org>\r\n')
    expect(invitees.map((invitee) => invitee.email)).toEqual(['a@x.org', 'b@x.org', 'c@x.org'])
    expect(invalid).toEqual([])
  })

  it('reads long text without a closing quote in linear time', () => {
    expect(parseInvitees('"'.repeat(100_000)).invalid).toHaveLength(1)
  })
})
