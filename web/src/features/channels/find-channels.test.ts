import type { Channel } from '@lyceum/contract/channels'
import { describe, expect, it } from 'vitest'
import { findChannels, sortByName } from './find-channels.ts'

const [physics, law, second, tenth] = [
  ['Physics', 'Questions about motion'],
  ['law', 'Contracts'],
  ['Channel 2', ''],
  ['Channel 10', ''],
].map(
  ([name = '', description = '']): Channel => ({
    _id: name,
    name,
    description,
    avatar: null,
    wallpaper: null,
    isAdmin: false,
    allowProposals: false,
    users: [],
  }),
) as [Channel, Channel, Channel, Channel]

describe('sortByName', () => {
  it('compares numbers by value and ignores case', () => {
    expect(sortByName([physics, tenth, law, second])).toEqual([second, tenth, law, physics])
  })
})

describe('findChannels', () => {
  it.each([
    ['a name', 'LAW', [law]],
    ['a description', ' motion ', [physics]],
    ['nothing', 'chemistry', []],
    ['no text', '  ', [physics, law]],
  ])('finds %s', (_, text, found) => {
    expect(findChannels([physics, law], text)).toEqual(found)
  })
})
