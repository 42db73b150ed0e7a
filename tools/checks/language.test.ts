import { describe, expect, it } from 'vitest'
import { findHabits, habits } from './language.ts'

/** At least one violation for each habit, in the order of the list's patterns. */
const planted = [
  'export function useDeed() {}',
  "import { a } from './chat-deeds.ts'",
  '// The person who signs in.',
  'const personId = 1',
  '// Somebody else wrote it.',
  'const searchShelf = 1',
  'const shelves = []',
  '// Whoever reads it.',
  '// It starts anew.',
  '// Nobody but the owner.',
  '// Messages go by their number.',
  '// The version stands again.',
  '/*\n * The index is\n * to be made.\n */',
  '// It is as good as gone.',
  '// It makes out the whole.',
  '// How it comes about.',
  '// So many at once.',
  '// It holds for 8 users.',
  '// A job is told of here.',
  '// A file that was looked at.',
  '// A run that was broken off.',
  '// Seldomer than this.',
  '// A call in vain.',
  '// It is said below.',
  '// The rights of an administrator.',
  'setRights(1)',
  'rightKeeper()',
  'keptForTab.get()',
  "import { a } from './kept-tables.ts'",
  'await holdUser(id)',
  'const isChatToCome = true',
  'onTheirWay.length',
  'if (mayDoBetter(error)) retry()',
  'const page = fetchedPart()',
  'enterLook()',
  'standAgain()',
  'await entombUser()',
  "import { a } from './state-words.ts'",
]

const accepted = [
  '// Indeed, the file is kept. HTML stands for something.',
  '// The third person. The columns are time,person,email.',
  '// The right column; align right; all rights reserved.',
  '// A stand-in for the model. It is a good idea to look at the log. Hold the lock for a second.',
  'const isLocked = holdsLock && rightEdge > 0 // not kept',
  "import { words } from './tokens.ts'",
]

describe('findHabits', () => {
  it.each(planted)('rejects %j', (text) => {
    expect(findHabits(new Map([['docs/a.md', text]]))).not.toEqual([])
  })

  it('has a planted violation for every habit', () => {
    const unused = habits.filter(({ pattern }) => !planted.some((text) => text.match(pattern)))
    expect(unused).toEqual([])
  })

  it('gives file, line and a suggestion', () => {
    const text = '// One.\n// It starts anew.\n'
    expect(findHabits(new Map([['bin/a.mjs', text]]))).toEqual(['bin/a.mjs:2: "anew" (better: again)'])
  })

  it('checks file names', () => {
    expect(findHabits(new Map([['bin/chat-deed.mjs', '']]))).toEqual([
      'bin/chat-deed.mjs: "deed" in its name (better: action)',
    ])
  })

  it.each(accepted)('accepts %j', (text) => {
    expect(findHabits(new Map([['docs/a.md', text]]))).toEqual([])
  })

  it('skips texts that quote the words', () => {
    expect(findHabits(new Map([['docs/glossary.md', 'deed']]))).toEqual([])
  })
})
