import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { directionOf } from './direction.ts'
import { Reply } from './Reply.tsx'

describe('directionOf', () => {
  it.each([
    ['', 'ltr'],
    ['42 words', 'ltr'],
    ['1. مرحبا world', 'rtl'],
    ['שלום', 'rtl'],
    ['English ثم عربي', 'ltr'],
    ['𞤀𞤁', 'rtl'],
  ])('%s runs %s', (text, direction) => {
    expect(directionOf(text)).toBe(direction)
  })
})

describe('what is written from right to left', () => {
  it('has its columns, list marks and quotation marks on that side', () => {
    const { container } = render(
      <Reply text={'| الاسم | value |\n|---|---|\n| أول | one. |\n\n- عنصر\n\n- آخر\n\n> اقتباس'} />,
    )
    expect(screen.getByRole('group', { name: 'Table' }).dir).toBe('rtl')
    // A cell is read in its own direction and stands where the table's side is.
    expect(container.querySelector('td')?.hasAttribute('dir')).toBe(false)
    expect(container.querySelectorAll('td > bdi, th > bdi')).toHaveLength(4)
    expect(container.querySelector('ul')?.dir).toBe('rtl')
    expect(container.querySelector('blockquote')?.dir).toBe('rtl')
  })
})
