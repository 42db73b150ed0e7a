import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { completeTail } from './complete-tail.ts'
import { Reply } from './Reply.tsx'

function findTargets(text: string, streaming = true): string[] {
  const { container, unmount } = render(<Reply text={text} streaming={streaming} />)
  const found = [...container.querySelectorAll('a')].map(({ href }) => href)
  unmount()
  return found
}

describe('an address at the end of a growing reply', () => {
  it.each([
    'see https://example.org/a',
    'see (https://example.org/a',
    'see **https://example.org/a',
    'see www.example.org/a',
    'write to ann@example.org',
    '- one\n- https://example.org/a',
    '> https://example.org/a?b=c&d',
    '| a |\n|---|\n| https://example.org/a',
  ])('is not linked until it is complete: %s', (text) => {
    expect(findTargets(text)).toEqual([])
    expect(findTargets(`${text} and`)).toHaveLength(1)
    expect(findTargets(text, false)).toHaveLength(1)
  })

  it('keeps its visible text', () => {
    const { container } = render(<Reply text="see https://example.org/a" streaming />)
    expect(container.textContent).toBe('see https://example.org/a')
  })

  it('never links to a shorter address', () => {
    const text = 'First https://example.org/a/b?c=d, then www.example.com. Or ann@example.org!\n'
    const finalTargets = findTargets(text, false)
    for (let length = 1; length <= text.length; length += 1)
      for (const target of findTargets(text.slice(0, length))) expect(finalTargets).toContain(target)
  })

  it('is unchanged in code and in link references', () => {
    expect(completeTail('```\nhttps://example.org/a')).toContain('https')
    const { container } = render(<Reply text={'```\nhttps://example.org/a'} streaming />)
    expect(container.textContent).toContain('https://example.org/a')
    expect(completeTail('[a]: https://example.org/a')).toBe('[a]: https://example.org/a')
  })
})
