import { expect, it } from 'vitest'
import { getInitials } from './Avatar.tsx'

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['  Grace  Brewster Hopper ', 'GH'],
  ['𝒜 channel', '𝒜C'],
  ['', ''],
])('turns "%s" into "%s"', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})
