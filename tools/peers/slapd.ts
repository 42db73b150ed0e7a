import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import type { Certificate } from './certificate.ts'
import { type PeerProcess, requireProgram, runProgram, startPeer } from './process.ts'

export const suffix = 'dc=example,dc=org'
export const readerDn = `cn=reader,${suffix}`
export const readerPassword = 'the reader’s password'
export const rootDn = `cn=root,${suffix}`
export const rootPassword = 'the root password'

export interface Slapd extends PeerProcess {
  /** For StartTLS. */
  ldap: string
  ldaps: string
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Starts OpenLDAP's server with these entries (LDIF). It refuses everything on connections without TLS. */
export async function startSlapd(folder: string, certificate: Certificate, entries: string): Promise<Slapd> {
  const program = requireProgram('slapd')
  const [ldap, ldaps] = [await findFreePort(), await findFreePort()]
  const data = join(folder, 'ldap')
  mkdirSync(data)
  const config = join(folder, 'slapd.conf')
  writeFileSync(
    config,
    [
      ...['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include /etc/ldap/schema/${name}.schema`),
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      `pidfile ${join(folder, 'slapd.pid')}`,
      `TLSCertificateFile ${certificate.certificate}`,
      `TLSCertificateKeyFile ${certificate.key}`,
      'security tls=1',
      'database mdb',
      `suffix "${suffix}"`,
      `rootdn "${rootDn}"`,
      `rootpw "${rootPassword}"`,
      `directory ${data}`,
      'index objectClass,mail,member,uniqueMember,memberUid eq',
      'access to attrs=userPassword by anonymous auth by * none',
      // Users cannot read anything, as in many directories.
      `access to * by dn.exact="${readerDn}" read by * none`,
      '',
    ].join('\n'),
  )
  const ldif = join(folder, 'entries.ldif')
  writeFileSync(ldif, entries)
  runProgram(requireProgram('slapadd', 'slapd'), ['-f', config, '-l', ldif])
  const urls = { ldap: `ldap://localhost:${ldap}`, ldaps: `ldaps://localhost:${ldaps}` }
  const listeners = `ldap://127.0.0.1:${ldap}/ ldaps://127.0.0.1:${ldaps}/`
  const peer = await startPeer(program, ['-d', '0', '-f', config, '-h', listeners], () => isListening(ldaps))
  return { ...peer, ...urls }
}
