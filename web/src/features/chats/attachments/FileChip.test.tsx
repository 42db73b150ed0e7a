import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FileButton, FileChip } from './FileChip.tsx'
import { splitFileName } from './split-file-name.ts'

const longName = 'Quarterly-report-of-the-finance-department-version-3.txt'

describe('splitFileName', () => {
  it('keeps the end of a long name with its extension', () => {
    const { start, end } = splitFileName(longName)
    expect(end).toBe('-version-3.txt')
    expect(start + end).toBe(longName)
  })

  it('does not split a short name or a character', () => {
    expect(splitFileName('lease.txt')).toEqual({ start: 'lease.txt', end: '' })
    const { end } = splitFileName(`${'a'.repeat(30)}👩‍👩‍👧1234567.pdf`)
    expect(end).toBe('aa👩‍👩‍👧1234567.pdf')
  })
})

describe('FileChip', () => {
  it('has the full name as its text and its tooltip, and shows the end of it', () => {
    render(<FileChip name={longName} detail="2 KB" />)
    expect(screen.getByTitle(longName)).toBeDefined()
    expect(screen.getByText(longName).className).toBe('sr-only')
    expect(screen.getByText('-version-3.txt').parentElement?.getAttribute('aria-hidden')).toBe('true')
  })

  it('names a button with the full name', () => {
    render(<FileButton name={longName} detail="2 KB" onClick={() => undefined} />)
  })
})
