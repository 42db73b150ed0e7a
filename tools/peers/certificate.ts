import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { requireProgram, runProgram } from './process.ts'

export interface Certificate {
  certificate: string
  key: string
}

/** Creates a certificate for `localhost` in the folder, which nobody trusts yet. */
export function createCertificate(folder: string): Certificate {
  const paths = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  runProgram(requireProgram('openssl'), [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', paths.key, '-out', paths.certificate],
  ])
  return paths
}

/** Creates a certificate that this process trusts from then on, also in `fetch`. */
export function createTrustedCertificate(folder: string): Certificate {
  const created = createCertificate(folder)
  setDefaultCACertificates([...getCACertificates(), readFileSync(created.certificate, 'utf8')])
  return created
}
