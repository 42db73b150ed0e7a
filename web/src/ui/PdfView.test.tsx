import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { PdfView } from './PdfView.tsx'
import { asPdf, NotAPdfError } from './pdf/pdf-file.ts'

describe('asPdf', () => {
  it('sets the type to PDF regardless of the declared type', async () => {
    const pdf = await asPdf(new Blob(['%PDF-1.7\n'], { type: 'text/html' }))
    expect(pdf.type).toBe('application/pdf')
  })

  it('rejects HTML that claims to be a PDF', async () => {
    const page = new Blob(['<script>alert(1)</script>'], { type: 'application/pdf' })
    await expect(asPdf(page)).rejects.toBeInstanceOf(NotAPdfError)
  })
})

describe('PdfView', () => {
  it('shows an error for a file that is not a PDF', async () => {
    render(<PdfView file={new File(['hello'], 'a.pdf', { type: 'application/pdf' })} label="a.pdf" />)
    expect(screen.getByRole('status').textContent).toContain('Opening the PDF')
    expect((await screen.findByRole('alert')).textContent).toBe('This file is not a PDF.')
  })
})
