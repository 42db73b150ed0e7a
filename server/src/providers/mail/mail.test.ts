import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import pino from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { getUnreachableMailServerUrl } from '#testing/mail-server.ts'
import { createOutbox } from './outbox.ts'
import { type Mail, MailRefused } from './port.ts'
import { createSmtp, parseSmtpUrl } from './smtp.ts'

const mail: Mail = {
  to: { address: 'ada@example.org', name: 'Ada\r\nBcc: eve@example.org' },
  subject: 'Hello\r\nX-Bad: yes',
  text: 'Plain words, ünïcode.',
  html: '<p>Plain words</p>',
}

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close()
})

interface Received {
  recipients: string[]
  message: string
}

interface ServerOptions {
  refuse?: { at: 'recipient' | 'data'; code: number }
  /** Requires encryption and this password. smtp-server brings a certificate for localhost. */
  tls?: { scheme: 'smtp' | 'smtps'; password: string }
}

async function startServer({ refuse, tls }: ServerOptions = {}) {
  const received: Received[] = []
  function refusal(recipient = '') {
    return Object.assign(new Error(`${recipient} is not here`), { responseCode: refuse?.code ?? 550 })
  }
  const server = new SMTPServer({
    secure: tls?.scheme === 'smtps',
    authOptional: tls === undefined,
    disabledCommands: tls ? [] : ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(refuse?.at === 'recipient' ? refusal(`<${address}>`) : undefined),
    onAuth({ username, password }, session, done) {
      if (tls && session.secure && password === tls.password) done(null, { user: username })
      else done(Object.assign(new Error('unknown'), { responseCode: 535 }))
    },
    onData(stream, session, done) {
      text(stream).then((message) => {
        if (refuse?.at === 'data') return done(refusal())
        received.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), message })
        return done()
      }, done)
    },
  })
  // A client that refuses the certificate closes the connection.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { url: `${tls?.scheme ?? 'smtp'}://127.0.0.1:${port}`, received }
}

function openOutbox(folder: string) {
  const log = pino({ level: 'silent' })
  return createOutbox({ folder, from: 'lyceum@example.org', log, now: Date.now, makeRoom: () => false })
}

describe('the outbox', () => {
  it('writes each email to a file that only the server user can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-outbox-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const outbox = openOutbox(folder)
    await outbox.send(mail)
    const [name = ''] = await readdir(folder)
    const path = join(folder, name)
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT.*\.eml$/)
    expect((await stat(path)).mode & 0o077).toBe(0)
    const message = await readFile(path, 'utf8')
    expect(message).toMatch(/^To: .*<ada@example\.org>\r?$/m)
    expect(message).not.toMatch(/^(Bcc|X-Bad):/m)
  })

  it('never shows an incomplete email', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-outbox-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const outbox = openOutbox(folder)
    const sizes = new Set<number>()
    let isSent = false
    const sent = outbox.send({ ...mail, text: 'A long line of text.\n'.repeat(200_000) }).finally(() => {
      isSent = true
    })
    while (!isSent) {
      for (const name of (await readdir(folder)).filter((each) => each.endsWith('.eml')))
        sizes.add((await stat(join(folder, name))).size)
    }
    await sent
    const [name = ''] = await readdir(folder)
    const { size } = await stat(join(folder, name))
    expect([...sizes].filter((seen) => seen !== size)).toEqual([])
    expect(size).toBeGreaterThan(1_000_000)
  })
})

function openSmtp(url: string) {
  return createSmtp(parseSmtpUrl(url), 'lyceum@example.org')
}

describe('SMTP', () => {
  it('delivers only to the recipient even if the name contains another address', async () => {
    const { url, received } = await startServer()
    const mailer = openSmtp(url)
    await mailer.send(mail)
    await mailer.close()
    expect(received).toHaveLength(1)
    expect(received[0]?.recipients).toEqual(['ada@example.org'])
    expect(received[0]?.message).not.toMatch(/^(Bcc|X-Bad):/m)
    expect(received[0]?.message).toContain('Subject: Hello X-Bad: yes')
  })

  it('distinguishes permanent from temporary rejections', async () => {
    const permanent = openSmtp((await startServer({ refuse: { at: 'recipient', code: 550 } })).url)
    await expect(permanent.send(mail)).rejects.toThrow(MailRefused)
    const temporary = openSmtp((await startServer({ refuse: { at: 'data', code: 451 } })).url)
    const error = await temporary.send(mail).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  describe('to another machine', () => {
    /** Reaches this machine by an address that is not known to be its own. */
    function addressElsewhere(url: string): string {
      return url.replace('127.0.0.1', '0.0.0.0')
    }

    it('sends nothing without encryption, unless the URL allows it', async () => {
      const { url, received } = await startServer()
      const strict = openSmtp(addressElsewhere(url))
      await expect(strict.send(mail)).rejects.toThrow('STARTTLS')
      await strict.close()
      expect(received).toEqual([])
      const lax = openSmtp(`${addressElsewhere(url)}?tls=optional`)
      await lax.send(mail)
      await lax.close()
      expect(received).toHaveLength(1)
    })

    it.each(['smtp', 'smtps'] as const)('refuses an untrusted certificate (%s)', async (scheme) => {
      const { url, received } = await startServer({ tls: { scheme, password: 'sesame' } })
      const mailer = openSmtp(addressElsewhere(url).replace('//', '//lyceum:sesame@'))
      await expect(mailer.send(mail)).rejects.toThrow('certificate')
      await mailer.close()
      expect(received).toEqual([])
    })
  })

  it('does not treat failed authentication as a rejected email', async () => {
    const { url } = await startServer()
    const mailer = openSmtp(url.replace('//', '//lyceum:wrong@'))
    const error = await mailer.send(mail).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  it.each(['smtp', 'smtps'] as const)('signs in over TLS to %s', async (scheme) => {
    const password = 'pass word+1'
    const { url, received } = await startServer({ tls: { scheme, password } })
    function sendWith(entered: string) {
      const credentials = `lyceum:${encodeURIComponent(entered)}@`
      return openSmtp(url.replace('//', `//${credentials}`)).send(mail)
    }
    await expect(sendWith('wrong')).rejects.toThrow('535')
    await sendWith(password)
    expect(received).toHaveLength(1)
  })

  it("reports the server's reason without the address", async () => {
    const mailer = openSmtp((await startServer({ refuse: { at: 'recipient', code: 550 } })).url)
    const error = await mailer.send(mail).catch((caught: unknown) => caught)
    expect(inspect(error, { depth: 10 })).toContain('550 <…@…> is not here')
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('ada')
  })

  it('verifies the connection', async () => {
    const { url, received } = await startServer()
    const mailer = openSmtp(url)
    await mailer.verify()
    await mailer.close()
    expect(received).toEqual([])
    await expect(openSmtp(await getUnreachableMailServerUrl()).verify()).rejects.toThrow()
  })

  it('fails when the server drops the connection', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve())))
    const mailer = openSmtp(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect(mailer.send(mail)).rejects.toThrow()
  })
})
