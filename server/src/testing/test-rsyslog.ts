import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './spawn-server.ts'
import type { TestAuthority } from './test-certificates.ts'

const program = '/usr/sbin/rsyslogd'
const startTimeout = 60_000

interface ReceivedMessage {
  appName: string
  messageId: string
  structuredData: string
  message: string
}

/** An rsyslog of one test, which listens with TLS and writes what it understood to a file. */
export interface TestRsyslog {
  port: number
  listMessages(): ReceivedMessage[]
  start(): Promise<void>
  kill(): Promise<void>
  /** Suspends it: connections are accepted by the system, and nothing is read. */
  pause(): void
  resume(): void
  close(): Promise<void>
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

interface RsyslogOptions {
  /** Whether clients must have a certificate of the authority. */
  requiresClientCertificate?: boolean
}

export async function startTestRsyslog(
  authority: TestAuthority,
  { requiresClientCertificate = false }: RsyslogOptions = {},
): Promise<TestRsyslog> {
  if (!existsSync(program)) throw new Error('Install the Debian packages rsyslog and rsyslog-gnutls.')
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-rsyslog-'))
  const port = await findFreePort()
  const { certPath, keyPath } = authority.issue('DNS:localhost')
  const received = join(folder, 'received')
  const config = join(folder, 'rsyslog.conf')
  writeFileSync(
    config,
    `global(
  workDirectory="${folder}"
  maxMessageSize="64k"
  defaultNetstreamDriver="gtls"
  defaultNetstreamDriverCAFile="${authority.caPath}"
  defaultNetstreamDriverCertFile="${certPath}"
  defaultNetstreamDriverKeyFile="${keyPath}"
)
module(
  load="imtcp"
  streamDriver.name="gtls"
  streamDriver.mode="1"
  streamDriver.authMode="${requiresClientCertificate ? 'x509/certvalid' : 'anon'}"
)
input(type="imtcp" address="127.0.0.1" port="${port}")
template(name="parts" type="list" option.jsonf="on") {
  property(outname="appName" name="app-name" format="jsonf")
  property(outname="messageId" name="msgid" format="jsonf")
  property(outname="structuredData" name="structured-data" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
}
action(type="omfile" file="${received}" template="parts")
`,
  )
  let child: ChildProcess

  async function start(): Promise<void> {
    child = spawn(program, ['-n', '-f', config, '-i', join(folder, 'pid')], { stdio: 'ignore' })
    const deadline = performance.now() + startTimeout
    while (!(await isListening(port))) {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error('rsyslogd did not start')
      await sleep(20)
    }
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    rmSync(join(folder, 'pid'), { force: true })
  }
  function killOnExit(): void {
    child.kill('SIGKILL')
  }
  await start()
  process.once('exit', killOnExit)
  return {
    port,
    start,
    kill,
    listMessages() {
      if (!existsSync(received)) return []
      // The last line may not be complete yet.
      return readFileSync(received, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ReceivedMessage)
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async close() {
      process.removeListener('exit', killOnExit)
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
