import { describe, expect, it } from 'vitest'
import { aDocument, anIndex, approved } from '#testing/samples.ts'
import { replacementWords, versionWords } from './version-labels.ts'

const second = { number: 2, count: 2 }

describe('versionWords', () => {
  it('say nothing of an only version', () => {
    expect(versionWords(aDocument())).toBeNull()
    expect(versionWords(approved({ answering: { number: 1 } }))).toBeNull()
  })

  it('say which version is answering until this one does', () => {
    const answering = { number: 1 }
    expect(versionWords(aDocument({ version: second, answering }))).toBe(
      'Version 2 of 2 · version 1 is answering until this is approved',
    )
    expect(
      versionWords(approved({ version: second, answering, index: anIndex({ state: 'embedding' }) })),
    ).toBe('Version 2 of 2 · version 1 is answering until this is indexed')
    expect(versionWords(approved({ version: second, answering, index: anIndex({ state: 'failed' }) }))).toBe(
      'Version 2 of 2 · version 1 is answering',
    )
  })

  it('say only the number of one that answers itself, and of one that nothing answers for', () => {
    expect(versionWords(approved({ version: second, answering: { number: 2 } }))).toBe('Version 2 of 2')
    expect(versionWords(aDocument({ version: second }))).toBe('Version 2 of 2')
    expect(versionWords(approved({ version: { number: 1, count: 2 }, answering: { number: 1 } }))).toBe(
      'Version 1 of 2',
    )
  })
})

describe('replacementWords', () => {
  it('say what becomes of the version that is there', () => {
    expect(replacementWords(approved({ answering: { number: 1 } }))).toContain('Version 1 goes on answering')
    expect(replacementWords(aDocument())).toContain('takes the place of version 1')
    expect(replacementWords(aDocument({ status: 'rejected' }))).toBe(
      'The new version waits for approval before the assistant uses it.',
    )
  })
})
