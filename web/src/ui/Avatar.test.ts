import { expect, it } from 'vitest'
import { initialsOf } from './Avatar.tsx'

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['  Grace  Brewster Hopper ', 'GH'],
  ['𝒜 channel', '𝒜C'],
  ['', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
