import type { OpenPdf } from './open-pdf.ts'
import { asPdf, NotAPdfError } from './pdf-file.ts'

/** Loads PDF.js when the first PDF is opened. */
export async function openFile(file: Blob): Promise<{ pdf: OpenPdf; file: Blob }> {
  const checked = await asPdf(file)
  const { openPdf } = await import('./open-pdf.ts')
  return { pdf: await openPdf(checked), file: checked }
}

/** Why the file cannot be opened by anyone; null when the failure may have another cause. */
export function explainFault(cause: unknown): string | null {
  if (cause instanceof NotAPdfError) return 'This file is not a PDF.'
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'PasswordException') return 'This PDF is password-protected and cannot be shown here.'
  if (name === 'InvalidPDFException') return 'This PDF is damaged and cannot be shown.'
  return null
}

/** Why the file is no readable PDF; null if it is one, or if that cannot be found out. */
export async function findPdfFault(file: Blob): Promise<string | null> {
  try {
    const { pdf } = await openFile(file)
    pdf.close()
    return null
  } catch (cause) {
    return explainFault(cause)
  }
}
