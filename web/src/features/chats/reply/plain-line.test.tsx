import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Reply } from './Reply.tsx'

function renderHtml(text: string): string {
  const { container } = render(<Reply text={text} />)
  return container.querySelector('p')?.innerHTML ?? ''
}

describe('Block', () => {
  it.each(['It gives way.', 'Ça va – oui, (peut-être) à 3 %; "so".  ', 'Ответ: да! 1. 2. 3. #1 - +'])(
    'renders %s as a plain paragraph',
    (line) => expect(renderHtml(line)).toBe(line.trimEnd()),
  )

  it.each([
    ['1. one', 'ol'],
    ['see www.example.org', 'a'],
    ['See https://example.org', 'a'],
    ['Ann ann@example.org', 'a'],
    ['So *much*', 'em'],
    ['Title\n===', 'h3'],
    ['as [1]: there', 'p'],
  ])('parses %s as Markdown', (line, tag) => {
    const { container } = render(<Reply text={line} />)
    expect(container.querySelector(tag)).not.toBeNull()
  })

  it('removes invisible characters from a plain line', () => {
    expect(renderHtml('So\u202Efar')).toBe('Sofar')
  })
})
