import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import { parseInput } from './parse.ts'

const general = 'This value is missing or has the wrong type'
const color = z.enum(['red', 'green', 'blue'])
const many = z.enum(Array.from({ length: 100 }, (_, at) => `option-${at}`))
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('syslog') }),
  z.object({ kind: z.literal('http') }),
])

function refuse(schema: z.core.$ZodType, value: unknown): AppError {
  try {
    parseInput(schema, value)
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('The input was accepted')
}

describe('parseInput', () => {
  it.each([
    ['a missing value', z.string('Name is required'), undefined],
    ['a wrong type', z.string('Name is required'), 5],
    ['an unknown value', z.enum(['a'], 'Name is required'), 'b'],
    ['no match in a union', z.union([z.string(), z.number()], 'Name is required'), []],
    ['a failed check', z.string().check(z.minLength(1, 'Name is required')), ''],
  ])('uses the message of the schema for %s', (_, name, value) => {
    const message = 'Name is required'
    expect(refuse(z.object({ name }), { name: value })).toMatchObject({ message, fields: { name: message } })
  })

  it.each([
    ['a missing text', z.string(), undefined, general],
    ['a wrong type', z.string(), ['x'], general],
    ['a wrong format', z.string().check(z.regex(/^x$/)), 'y', general],
    ['no match in a union', z.union([z.string(), z.number()]), [], general],
    ['an unknown value', color, 'pink', 'This value must be red, green, or blue'],
    ['a missing choice', color, undefined, 'This value must be red, green, or blue'],
    ['the only value', z.literal('hide'), 'show', 'This value must be hide'],
    ['one of many values', many, 'other', 'This value is unknown'],
    ['an unknown key', z.partialRecord(color, z.string()), { pink: 'x' }, 'Unknown: pink'],
    ['a number that is too large', z.number().check(z.lte(500)), 501, 'At most 500'],
    ['a number that is too small', z.number().check(z.gte(1)), 0, 'At least 1'],
    ['a text that is too long', z.string().check(z.maxLength(2)), 'abc', 'At most 2 characters'],
    [
      'a list that is too long',
      z.array(z.string()).check(z.maxLength(2)),
      ['a', 'b', 'c'],
      'At most 2 entries',
    ],
  ])('describes %s itself', (_, schema, value, expected) => {
    const { fields, message } = refuse(z.object({ given: schema }), { given: value })
    expect(Object.values(fields ?? {})).toEqual([expected])
    expect(message).toBe('Please check what you entered.')
  })

  it('describes an unknown kind of an object, and names unknown keys', () => {
    expect(refuse(kinds, { kind: 'mail' }).fields).toEqual({ kind: 'This value must be syslog or http' })
    const flags = z.record(z.enum(['a', 'b']), z.boolean())
    expect(refuse(flags, { a: true, b: true, c: true }).fields).toEqual({ body: 'Unknown: c' })
  })

  it('takes the message of the only field that has one', () => {
    const form = z.object({ name: z.string('Name is required'), color, email: z.string('Invalid input') })
    const both = refuse(form, {})
    expect(both.message).toBe('Please check what you entered.')
    expect(both.fields).toMatchObject({ name: 'Name is required', email: 'Invalid input' })
    expect(refuse(form, { name: 'Ada' }).message).toBe('Invalid input')
  })
})
