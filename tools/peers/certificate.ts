import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { requireProgram, runProgram } from './process.ts'

export interface Certificate {
  certificate: string
  key: string
}

/** Creates a certificate for `localhost` in the folder. This process trusts it from then on, also in `fetch`. */
export function createTrustedCertificate(folder: string): Certificate {
  const paths = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  runProgram(requireProgram('openssl'), [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', paths.key, '-out', paths.certificate],
  ])
  setDefaultCACertificates([...getCACertificates(), readFileSync(paths.certificate, 'utf8')])
  return paths
}
