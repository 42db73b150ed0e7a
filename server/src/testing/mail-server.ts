import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A message as its reader sees it. */
export interface ReceivedMail {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
}

async function read(raw: Buffer): Promise<ReceivedMail> {
  const { to, subject = '', text = '', html = '', messageId = '' } = await PostalMime.parse(raw)
  return { to: to?.[0]?.address ?? '', subject, text: text.trim(), html, messageId }
}

/** What an installation without a mail server has written, oldest first. */
export async function readOutbox(dataFolder: string): Promise<ReceivedMail[]> {
  const folder = join(dataFolder, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const written = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(written.map(async (name) => read(await readFile(join(folder, name)))))
}

/** The secret in a message's link. */
export function linkTokenIn({ text }: ReceivedMail): string {
  return /[?&]token=([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? ''
}

/** The one-time code in a message. */
export function codeIn({ text }: ReceivedMail): string {
  return /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? ''
}

/** How the mail server behaves towards the next messages. */
type MailServerMood = 'accepts' | 'refuses' | 'is busy' | 'stalls' | 'drops after the message'

export interface TestMailServer {
  url: string
  /** Delivered, oldest first. */
  received: ReceivedMail[]
  /** Connections so far, also those that led to nothing. */
  connections: number
  mood: MailServerMood
  close(): Promise<void>
}

/** A real SMTP server on loopback. */
export async function startMailServer(): Promise<TestMailServer> {
  function refusal(code: number) {
    return Object.assign(new Error('not now'), { responseCode: code })
  }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      mailServer.connections += 1
      if (mailServer.mood !== 'stalls') done()
    },
    onRcptTo(_address, _session, done) {
      if (mailServer.mood === 'refuses') done(refusal(550))
      else if (mailServer.mood === 'is busy') done(refusal(451))
      else done()
    },
    onData(stream, session, done) {
      buffer(stream)
        .then(read)
        .then((mail) => {
          mailServer.received.push(mail)
          if (mailServer.mood !== 'drops after the message') return done()
          // The message was taken over, but its sender never learns of it.
          for (const connection of smtp.connections)
            if (connection.session.id === session.id) connection._socket.destroy()
        })
        .catch(done)
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const mailServer: TestMailServer = {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    received: [],
    connections: 0,
    mood: 'accepts',
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return mailServer
}

/** An address at which nothing listens. */
export async function deadMailServer(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `smtp://127.0.0.1:${port}`
}
