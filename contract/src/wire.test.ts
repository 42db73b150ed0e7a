import { describe, expect, it } from 'vitest'
import { channelInput } from './channels.ts'
import { messageInput } from './chats.ts'
import { getAllowedActions } from './documents.ts'
import { parseExpiryDays } from './two-factor.ts'
import { email, singleLine } from './wire.ts'

function firstMessage(result: { success: boolean; error?: { issues: { message: string }[] } }) {
  return result.error?.issues[0]?.message
}

describe('email', () => {
  it('trims and lower-cases the address', () => {
    expect(email.parse('  Ada@Example.ORG ')).toBe('ada@example.org')
  })

  it.each([
    '',
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'a b@example.org',
    'ada@example.org\nbcc:x@y.zz',
    'ada@visitors.invalid',
    'ada@VISITORS.invalid',
    '"a"@example.org',
    `${'a'.repeat(65)}@example.org`,
  ])('rejects %j', (address) => {
    expect(firstMessage(email.safeParse(address))).toBe('Invalid email address')
  })
})

describe('singleLine', () => {
  const name = singleLine(10, 'Name is required')

  it('requires text after trimming', () => {
    expect(firstMessage(name.safeParse('   '))).toBe('Name is required')
  })

  it.each(['\u200b', ' \u200d\u2060 ', '\u3164'])('rejects text without visible characters: %j', (text) => {
    expect(firstMessage(name.safeParse(text))).toBe('Name is required')
  })

  it.each(['a\u0000b', 'a\nb', 'a\u2028b', 'a\u061cb', 'a\u202eb', 'a\u2066b'])(
    'rejects invisible characters: %j',
    (text) => {
      expect(name.safeParse(text).success).toBe(false)
    },
  )

  it('removes zero-width spaces and tag characters, with which one name can look like another', () => {
    const tags = [...'admin'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(name.parse(`\ufeffA\u200bd\u00ada${tags}\u2060 `)).toBe('Ada')
    expect(firstMessage(name.safeParse(tags))).toBe('Name is required')
  })

  it('keeps right-to-left letters and joiners', () => {
    expect(name.parse('می\u200cخواهم')).toBe('می\u200cخواهم')
  })
})

describe('channelInput', () => {
  const custom = { name: 'Law', description: 'Statutes', llmModel: 'gpt-4o' }

  it('requires a model for a custom channel and an id for a ready-made assistant', () => {
    expect(channelInput.safeParse(custom).success).toBe(true)
    expect(firstMessage(channelInput.safeParse({ ...custom, llmModel: '' }))).toBe(
      'Language model is required',
    )
    expect(firstMessage(channelInput.safeParse({ ...custom, useAssistant: true }))).toBe(
      'Assistant ID is required',
    )
  })

  it('rejects a model outside the list', () => {
    expect(channelInput.safeParse({ ...custom, llmModel: 'gpt-9' }).success).toBe(false)
  })
})

it('rejects a blank message', () => {
  for (const message of [' \n\t ', '\u200b\u2060', '\ufeff \u00ad'])
    expect(messageInput.safeParse({ message }).success).toBe(false)
  expect(messageInput.parse({ message: ' hi ' }).message).toBe(' hi ')
})

it('turns an empty or non-numeric entry into 30 days', () => {
  expect([parseExpiryDays(''), parseExpiryDays('soon'), parseExpiryDays('7')]).toEqual([30, 30, 7])
})

it('offers the actions that a document’s status allows', () => {
  expect(getAllowedActions('pending', 'pdf')).toMatchObject({ approve: true, reject: true, reindex: false })
  expect(getAllowedActions('approved', 'txt')).toMatchObject({ approve: false, reindex: true, preview: true })
  expect(getAllowedActions('rejected', 'docx')).toMatchObject({
    download: true,
    preview: false,
    delete: true,
  })
})
