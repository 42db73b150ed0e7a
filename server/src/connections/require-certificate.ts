import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { AppError } from '../errors.ts'

/** Refuses what Node could not use as the certificate of an authority. '' means that none was entered. */
export function requireCertificate(field: string, pem: string): void {
  if (pem === '') return
  try {
    new X509Certificate(pem)
    createSecureContext({ ca: pem })
  } catch {
    const message = 'This is not a certificate in PEM format.'
    throw new AppError('validation.failed', { message, fields: { [field]: message } })
  }
}
