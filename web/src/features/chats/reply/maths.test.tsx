import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Reply } from './Reply.tsx'
import { scanSpans } from './spans.ts'

function formulasOf(text: string) {
  return scanSpans(text).flatMap((span) =>
    span.kind === 'maths' ? [`${span.isDisplay ? 'D' : 'I'}:${span.tex}`] : [],
  )
}

describe('formulas', () => {
  it.each([
    ['$x^2$', ['I:x^2']],
    ['其中$x$是', ['I:x']],
    ['the $n$th term', ['I:n']],
    ['\\(a_1\\) in a line', ['I:a_1']],
    ['\\[ a \\]', ['D:a']],
    ['\\[\na\n\\]\nwhere', ['D:a']],
    ['\\[ a \\] and more', ['D:a']],
    ['\\[ a \\\\[4pt] b \\]', ['D:a \\\\[4pt] b']],
    ['$$x$$', ['D:x']],
    ['$$\nx\n\ny\n$$', ['D:x\n\ny']],
    ['$$\\begin{align}\na &= b\n\\end{align}$$', ['D:\\begin{align}\na &= b\n\\end{align}']],
    ['\\begin{align*}\na &= b\n\\end{align*}', ['D:\\begin{align*}\na &= b\n\\end{align*}']],
    ['\\begin{pmatrix}1\\end{pmatrix}', ['D:\\begin{pmatrix}1\\end{pmatrix}']],
    ['> $$\n> x\n> y\n> $$', ['D:x\ny']],
    ['$\\text{costs \\$5}$', ['I:\\text{costs \\$5}']],
    ['| $|x|$ | $y$ |', ['I:|x|', 'I:y']],
    ['$3x + 2$', ['I:3x + 2']],
  ])('finds formulas in %s', (text, formulas) => {
    expect(formulasOf(text)).toEqual(formulas)
  })

  it.each([
    '$5 and then $10',
    'between $5 and 10$ or so',
    'US$5 and US$6',
    '$20/month vs. $30/month',
    '$5, $10, and 15$',
    '$1,000-$2,000',
    'costs \\$5 and \\$6',
    '$ x $',
    'echo `$a` and `$b$`',
    '```sh\necho $a $b$\n$$\n```',
    '~~~\n\\(x\\) \\[y\\]\n~~~',
    '- ```\n  $x$\n  ```',
    '> ```\n> $x$\n> ```',
    '\\[1\\] is a citation',
    'one $ here\n\nand one$ there',
    '$$ is slang',
    '\\\\(not\\\\)',
    'costs $$ or `$$`',
  ])('finds no formula in %s', (text) => {
    expect(formulasOf(text)).toEqual([])
  })

  it('restores code that only the Markdown parser recognizes as code', () => {
    const { container } = render(
      <Reply text={'Run\n\n    echo $a$ $$b$$\n\nand [x](https://example.org/?a=$b$).'} />,
    )
    expect(container.querySelector('pre')?.textContent).toBe('echo $a$ $$b$$')
    expect(container.querySelector('a')?.href).toBe('https://example.org/?a=$b$')
  })

  it('renders a math fence and a pipe inside a table cell', async () => {
    const { container, findAllByText } = render(
      <Reply text={'```math\nE = mc^2\n```\n\n| a |\n|---|\n| $|x|$ |'} />,
    )
    expect(await findAllByText('E = mc^2', { exact: false })).not.toHaveLength(0)
    expect(container.querySelectorAll('.katex')).toHaveLength(2)
    expect(container.querySelectorAll('.katex-display')).toHaveLength(1)
    expect(container.querySelectorAll('td')).toHaveLength(1)
  })
})
