import { describe, expect, it } from 'vitest'
import { aDocument, anApprovedDocument, anIndex } from '#testing/samples.ts'
import { describeReplacement, formatVersion } from './version-labels.ts'

const second = { number: 2, count: 2 }

describe('formatVersion', () => {
  it('returns null for the only version', () => {
    expect(formatVersion(aDocument())).toBeNull()
    expect(formatVersion(anApprovedDocument({ answering: { number: 1 } }))).toBeNull()
  })

  it('names the version that stays in use in the meantime', () => {
    const answering = { number: 1 }
    expect(formatVersion(aDocument({ version: second, answering }))).toBe(
      'Version 2 of 2 · version 1 stays in use until this is approved',
    )
    expect(
      formatVersion(
        anApprovedDocument({ version: second, answering, index: anIndex({ state: 'embedding' }) }),
      ),
    ).toBe('Version 2 of 2 · version 1 stays in use until this is indexed')
    expect(
      formatVersion(anApprovedDocument({ version: second, answering, index: anIndex({ state: 'failed' }) })),
    ).toBe('Version 2 of 2 · version 1 stays in use')
  })

  it('names no other version if this one, or none, is in use', () => {
    expect(formatVersion(anApprovedDocument({ version: second, answering: { number: 2 } }))).toBe(
      'Version 2 of 2',
    )
    expect(formatVersion(aDocument({ version: second }))).toBe('Version 2 of 2')
    expect(
      formatVersion(anApprovedDocument({ version: { number: 1, count: 2 }, answering: { number: 1 } })),
    ).toBe('Version 1 of 2')
  })
})

describe('describeReplacement', () => {
  it('says what happens to the current version', () => {
    expect(describeReplacement(anApprovedDocument({ answering: { number: 1 } }))).toContain(
      'Version 1 stays in use',
    )
    expect(describeReplacement(aDocument())).toContain('It replaces version 1')
    expect(describeReplacement(aDocument({ status: 'rejected' }))).toBe(
      'The new version needs approval before the assistant uses it.',
    )
  })
})
