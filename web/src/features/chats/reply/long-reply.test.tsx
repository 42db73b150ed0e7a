import { act, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { highlightCode } from './highlight.ts'
import { Reply } from './Reply.tsx'
import { sampleReply } from './sample-reply.test-data.ts'

const limitNote = /shown without formatting/

function countElements(container: HTMLElement): number {
  return container.querySelectorAll('*').length
}

const table = `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${`${'|b'.repeat(200)}|\n`.repeat(200)}`

describe('a reply that is expensive to show', () => {
  it.each([
    ['a table of 200 by 200 cells', table],
    ['15,000 hard breaks', 'a\\\n'.repeat(15_000)],
    ['20,000 citations', '[1]'.repeat(20_000)],
    ['3,000 code blocks', '```\na\n```\n'.repeat(3_000)],
  ])('mounts few elements at once for %s, live and complete', (_, text) => {
    for (const streaming of [true, false]) {
      const { container, unmount } = render(<Reply text={text} streaming={streaming} />)
      expect(countElements(container)).toBeLessThan(5_000)
      expect(screen.getByText(limitNote)).toBeDefined()
      unmount()
    }
  })

  it('formats the beginning of a long table and shows the rest as text', () => {
    const rows = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(2_000)}end of the table\n\n**after**`
    const { container } = render(<Reply text={rows} atOnce />)
    expect(container.querySelectorAll('tr').length).toBeGreaterThan(100)
    expect(container.querySelectorAll('tr').length).toBeLessThan(1_000)
    expect(container.textContent).toContain('end of the table')
    expect(container.querySelector('strong')?.textContent).toBe('after')
  })

  it('appears in steps when it is long, and without a note when all of it is formatted', async () => {
    vi.useFakeTimers()
    const { container } = render(<Reply text={`${sampleReply}\n\n`.repeat(20)} />)
    const first = container.querySelectorAll('table').length
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(20)
    for (let step = 0; step < 10; step += 1) await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(container.querySelectorAll('table')).toHaveLength(20)
    expect(screen.queryByText(limitNote)).toBeNull()
    vi.useRealTimers()
  })

  it('appears at once for printing', () => {
    const { container } = render(<Reply text={`${sampleReply}\n\n`.repeat(20)} atOnce />)
    expect(container.querySelectorAll('table')).toHaveLength(20)
  })

  it('shows the end of a growing reply immediately', () => {
    const { container, rerender } = render(<Reply text="" streaming />)
    for (let count = 1; count <= 60; count += 1) {
      rerender(<Reply text={`${sampleReply}\n\n`.repeat(count)} streaming />)
      expect(container.querySelectorAll('table')).toHaveLength(count)
    }
  })
})

describe('a formula that is expensive to show', () => {
  it.each([
    ['a macro with a long body', `$$\\def\\a{${'x'.repeat(1_000)}}${'\\a'.repeat(190)}$$`],
    ['a matrix of 900 cells', `$$\\begin{matrix}${'&'.repeat(900)}\\end{matrix}$$`],
    ['many primes', `$$x${"'x".repeat(900)}$$`],
  ])('shows the source of %s', async (_, text) => {
    const { container } = render(<Reply text={text} />)
    await waitFor(() => expect(container.querySelector('code')).not.toBeNull())
    expect(countElements(container)).toBeLessThan(50)
  })

  it.each([
    ['exponents', 'x^{', '}', 300],
    ['fractions', '\\frac{1}{', '}', 100],
    ['roots', '\\sqrt{', '}', 100],
    ['matrices', '\\begin{matrix}', '\\end{matrix}', 60],
    ['accents', '\\overline{', '}', 150],
  ])('shows the source of %s nested too deeply to be laid out', async (_, open, close, depth) => {
    const tex = `${open.repeat(depth)}y${close.repeat(depth)}`
    const container = document.createElement('div')
    for (const streaming of [true, false]) {
      render(<Reply text={`So $${tex}$ holds.`} streaming={streaming} />, { container })
      await waitFor(() => expect(container.querySelector('code')?.textContent).toBe(tex))
      expect(container.querySelector('.katex')).toBeNull()
    }
  })

  it('renders formulas with ordinary nesting', async () => {
    const { container } = render(<Reply text={`$$${'1+\\frac{1}{'.repeat(20)}x${'}'.repeat(20)}$$`} />)
    await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull())
  })

  it('limits the elements of all formulas of a reply', async () => {
    const { container } = render(<Reply text={`$$${'x+'.repeat(300)}x$$\n\n`.repeat(40)} />)
    await waitFor(() => expect(container.querySelectorAll('.katex').length).toBeGreaterThan(2))
    expect(countElements(container)).toBeLessThan(15_000)
    expect(container.querySelectorAll('code').length).toBeGreaterThan(20)
  })
})

describe('code that is expensive to highlight', () => {
  it.each([
    ['many tokens', 'json', '1 '.repeat(9_000)],
    ['deep nesting', 'bash', '${'.repeat(500)],
  ])('stays plain for %s', (_, language, code) => {
    expect(highlightCode(code, language)).toBeNull()
  })

  it.each([
    ['a long word', 'A'.repeat(10_000)],
    ['many lines', 'let a = 1\n'.repeat(2_100)],
  ])('never reaches the highlighter for %s', async (_, code) => {
    vi.useFakeTimers()
    const { container } = render(<Reply text={`\`\`\`cpp\n${code}\n\`\`\``} />)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    vi.useRealTimers()
    expect(container.querySelectorAll('pre span')).toHaveLength(0)
  })
})

it('keeps at most 30 combining marks on a letter', () => {
  const { container } = render(<Reply text={`Z${'\u0301'.repeat(16_000)} and Việt`} />)
  expect(container.textContent).toBe(`Z${'\u0301'.repeat(30)} and Việt`)
})
