import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface KeyPair {
  cert: string
  key: string
  certPath: string
  keyPath: string
}

/** An authority of one test. */
export interface TestAuthority {
  ca: string
  caPath: string
  /** Issues a certificate for a name such as `DNS:localhost`. */
  issue(name: string): KeyPair
  close(): void
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']

export function createAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-certificates-'))
  let issued = 0
  function create(name: string, args: readonly string[]): KeyPair {
    const certPath = join(folder, `${name}.pem`)
    const keyPath = join(folder, `${name}.key`)
    execFileSync('openssl', ['req', '-x509', ...newKey, '-keyout', keyPath, '-out', certPath, ...args], {
      stdio: 'pipe',
    })
    return { certPath, keyPath, cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') }
  }
  const ca = create('ca', ['-subj', '/CN=Test authority'])
  return {
    ca: ca.cert,
    caPath: ca.certPath,
    issue(name) {
      issued += 1
      return create(`issued-${issued}`, [
        ...['-CA', ca.certPath, '-CAkey', ca.keyPath, '-subj', '/CN=test'],
        ...['-addext', `subjectAltName=${name}`, '-addext', 'basicConstraints=critical,CA:false'],
      ])
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
