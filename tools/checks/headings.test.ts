import { describe, expect, it } from 'vitest'
import { findBrokenReferences } from './headings.ts'

const docs: [string, string][] = [
  ['docs/product.md', '# Product rules\n\n## Long chats\n\n- **D1.** One.\n- **D2.** Two.\n'],
  ['docs/operations.md', '## Where data is stored, and "why"\n\n```sh\n# Not a heading\n```\n'],
]

function check(path: string, text: string) {
  return findBrokenReferences(new Map([...docs, [path, text]]))
}

describe('findBrokenReferences', () => {
  it.each([
    '// docs/product.md, "Long chats"',
    '/**\n * docs/product.md, "Long\n * chats"\n */',
    '// operations.md#where-data-is-stored-and-why',
    '// docs/product.md, D1 and D2; rule D2; (D1)',
    '// elsewhere.md, "Any"; V8; (E12); rule X3; a.md#b',
  ])('accepts %j', (text) => {
    expect(check('server/src/a.ts', text)).toEqual([])
  })

  it.each([
    ['// docs/product.md, "Short chats"', '1: docs/product.md has no heading "Short chats"'],
    ['\n/*\n * docs/product.md,\n * "Short\n * chats" */', '3: docs/product.md has no heading "Short chats"'],
    ['// docs/operations.md, "Not a heading"', '1: docs/operations.md has no heading "Not a heading"'],
    ['// operations.md#where', '1: operations.md has no heading for #where'],
    ['// docs/product.md, Long chats', '1: put the heading in quotation marks'],
    ['// docs/gone.md explains it', '1: there is no docs/gone.md'],
    ['// docs/product.md, D1 and D3', '1: docs/product.md has no rule D3'],
    [`it('rejects it (D12)')`, '1: docs/product.md has no rule D12'],
    ['// See rule D7.', '1: docs/product.md has no rule D7'],
  ])('rejects %j', (text, fault) => {
    expect(check('server/src/a.ts', text)).toEqual([`server/src/a.ts:${fault}`])
  })

  it('resolves links relative to the page', () => {
    expect(check('docs/answers.md', '# A b\n[a](#a-b) [b](product.md#long-chats)')).toEqual([])
    expect(check('docs/answers.md', '# A b\n[a](#b)\n[b](product.md#b)\n[c](gone.md)\n[d](../a.ts)')).toEqual(
      [
        'docs/answers.md:4: there is no gone.md',
        'docs/answers.md:5: there is no ../a.ts',
        'docs/answers.md:2: this page has no heading for #b',
        'docs/answers.md:3: product.md has no heading for #b',
      ],
    )
  })

  it('rejects a rule that is defined twice', () => {
    const sources = new Map([['docs/product.md', '- **D1.** One.\n- **D1.** Two.\n']])
    expect(findBrokenReferences(sources)).toEqual(['docs/product.md: rule D1 is defined twice'])
  })
})
