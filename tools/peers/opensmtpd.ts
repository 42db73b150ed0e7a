import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { type PeerProcess, requireProgram, startPeer } from './process.ts'

export interface OpenSmtpd extends PeerProcess {
  /** The value for SMTP_URL. */
  url: string
}

/**
 * Starts OpenSMTPD, which accepts mail for example.org and relays it to another server. Without TLS and passwords:
 * the OpenSMTPD of Debian 12 cannot use its private key with OpenSSL 3, and it allows passwords only over TLS.
 */
export async function startOpenSmtpd(folder: string, relayTo: URL): Promise<OpenSmtpd> {
  if (userInfo().uid !== 0)
    throw new Error('This test must run as root, because OpenSMTPD starts only as root.')
  const program = requireProgram('smtpd', 'opensmtpd')
  const port = await findFreePort()
  const config = join(folder, 'smtpd.conf')
  writeFileSync(
    config,
    [
      'smtp max-message-size 64K',
      `listen on 127.0.0.1 port ${port}`,
      `action "relay" relay host "smtp+notls://${relayTo.host}"`,
      'match from any for domain "example.org" action "relay"',
      '',
    ].join('\n'),
  )
  const peer = await startPeer(program, ['-d', '-f', config], () => isListening(port))
  return { ...peer, url: `smtp://127.0.0.1:${port}` }
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
