import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { detectDirection } from './direction.ts'
import { Reply } from './Reply.tsx'

describe('detectDirection', () => {
  it.each([
    ['', undefined],
    ['12 + 30 = 42', undefined],
    ['42 words', 'ltr'],
    ['1. مرحبا world', 'rtl'],
    ['שלום', 'rtl'],
    ['English ثم عربي', 'rtl'],
    ['React هي مكتبة', 'rtl'],
    ['The word for peace is سلام in Arabic', 'ltr'],
    [`${'word '.repeat(60)}${'كلمة '.repeat(200)}`, 'ltr'],
    ['𞤀𞤁', 'rtl'],
  ])('detects %s as %s', (text, direction) => {
    expect(detectDirection(text)).toBe(direction)
  })
})

describe('a right-to-left reply', () => {
  it('puts columns, list marks and block quotes on the right', () => {
    const { container } = render(
      <Reply text={'| الاسم | value |\n|---|---|\n| أول | one. |\n\n- عنصر\n\n- آخر\n\n> اقتباس'} />,
    )
    expect(screen.getByRole('group', { name: 'Table' }).dir).toBe('rtl')
    // A cell has its own text direction but follows the alignment of the table.
    expect(container.querySelector('td')?.hasAttribute('dir')).toBe(false)
    expect(container.querySelectorAll('td > bdi, th > bdi')).toHaveLength(4)
    expect(container.querySelector('ul')?.dir).toBe('rtl')
    expect(container.querySelector('blockquote')?.dir).toBe('rtl')
  })

  it('is detected from all its words, even if the first one is in another script', () => {
    const { container } = render(
      <Reply
        text={'| API | الوصف |\n|---|---|\n| GET | يقرأ البيانات |\n\nReact هي مكتبة\n\n## Node ومكتباته'}
      />,
    )
    expect(screen.getByRole('group', { name: 'Table' }).dir).toBe('rtl')
    expect(container.querySelector('p')?.dir).toBe('rtl')
    expect(container.querySelector('h4')?.dir).toBe('rtl')
  })

  it('is detected without considering code', () => {
    const { container } = render(<Reply text={'- استخدم `npm install --save-dev vite and more`'} />)
    expect(container.querySelector('ul')?.dir).toBe('rtl')
  })

  it('passes its direction on to a table without letters', () => {
    const { container } = render(<Reply text={'هذه أرقام\n\n| 1 | 2 |\n|---|---|\n| 3 | 4 |'} />)
    expect(screen.getByRole('group', { name: 'Table' }).hasAttribute('dir')).toBe(false)
    expect(container.querySelector('div')?.dir).toBe('rtl')
  })
})

describe('a left-to-right reply', () => {
  it('stays left-to-right when it contains a few right-to-left words', () => {
    const { container } = render(<Reply text={'One word: سلام\n\n| name | الاسم |\n|---|---|\n| a | b |'} />)
    expect(container.querySelector('[dir=rtl]')).toBeNull()
  })
})
