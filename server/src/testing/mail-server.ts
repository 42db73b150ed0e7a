import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A parsed email. */
export interface ReceivedMail {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
}

async function parseMail(raw: Buffer): Promise<ReceivedMail> {
  const { to, subject = '', text = '', html = '', messageId = '' } = await PostalMime.parse(raw)
  return { to: to?.[0]?.address ?? '', subject, text: text.trim(), html, messageId }
}

/** Reads the emails that a server without SMTP settings wrote to its outbox folder, oldest first. */
export async function readOutbox(dataFolder: string): Promise<ReceivedMail[]> {
  const folder = join(dataFolder, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const written = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(written.map(async (name) => parseMail(await readFile(join(folder, name)))))
}

/** Returns the token of the link in an email, or an empty string. */
export function readLinkToken({ text }: ReceivedMail): string {
  return /[?&]token=([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? ''
}

/** Returns the one-time code in an email, or an empty string. */
export function readCode({ text }: ReceivedMail): string {
  return /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? ''
}

/** How the mail server treats the next messages. */
type MailServerBehavior =
  | 'accepts'
  | 'refuses'
  | 'refuses the sender'
  | 'is busy'
  | 'stalls'
  | 'disconnects after the message'

export interface TestMailServer {
  url: string
  /** Oldest first. */
  received: ReceivedMail[]
  /** Connections so far, including failed ones. */
  connections: number
  behavior: MailServerBehavior
  close(): Promise<void>
}

interface MailServerOptions {
  /** Requires a login with this password. */
  password?: string
  /** Expects encryption from the start. smtp-server brings a certificate for localhost. */
  isSecure?: boolean
}

/** Starts a real SMTP server on loopback. */
export async function startMailServer({
  password,
  isSecure = false,
}: MailServerOptions = {}): Promise<TestMailServer> {
  function createError(code: number) {
    return Object.assign(new Error('not now'), { responseCode: code })
  }
  const smtp = new SMTPServer({
    secure: isSecure,
    authOptional: password === undefined,
    allowInsecureAuth: true,
    onAuth({ username, password: entered }, _session, done) {
      if (entered === password) done(null, { user: username })
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    onMailFrom(_address, _session, done) {
      done(mailServer.behavior === 'refuses the sender' ? createError(553) : undefined)
    },
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      mailServer.connections += 1
      if (mailServer.behavior !== 'stalls') done()
    },
    onRcptTo(_address, _session, done) {
      if (mailServer.behavior === 'refuses') done(createError(550))
      else if (mailServer.behavior === 'is busy') done(createError(451))
      else done()
    },
    onData(stream, session, done) {
      buffer(stream)
        .then(parseMail)
        .then((mail) => {
          mailServer.received.push(mail)
          if (mailServer.behavior !== 'disconnects after the message') return done()
          // The message is accepted, but the connection drops before the sender is told.
          for (const connection of smtp.connections)
            if (connection.session.id === session.id) connection._socket.destroy()
        })
        .catch(done)
    },
  })
  // A client that expects another encryption closes the connection.
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const mailServer: TestMailServer = {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    received: [],
    connections: 0,
    behavior: 'accepts',
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return mailServer
}

/** Returns an SMTP URL at which nothing listens. */
export async function getUnreachableMailServerUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `smtp://127.0.0.1:${port}`
}
