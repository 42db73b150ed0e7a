import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mail, MailRefused } from '../../server/src/providers/mail/port.ts'
import { createSmtp, parseSmtpUrl } from '../../server/src/providers/mail/smtp.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import {
  type ReceivedMail,
  readCode,
  startMailServer,
  type TestMailServer,
} from '../../server/src/testing/mail-server.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type OpenSmtpd, startOpenSmtpd } from './opensmtpd.ts'

let folder: string
let mailbox: TestMailServer
let peer: OpenSmtpd
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-opensmtpd-'))
  mailbox = await startMailServer()
  peer = await startOpenSmtpd(folder, new URL(mailbox.url))
})
afterAll(async () => {
  await peer?.stop()
  await mailbox?.close()
  await rm(folder, { recursive: true, force: true })
})

const mail: Mail = {
  to: { address: `ada-${randomUUID()}@example.org`, name: 'Ada Ünal, “the first”' },
  subject: 'Your invitation — 招待',
  text: 'Plain words, ünïcode.\n.\nA line with a single dot above.',
  html: '<p>Plain words</p>',
}

async function send(sent: Mail): Promise<void> {
  const mailer = createSmtp(parseSmtpUrl(peer.url), 'lyceum@example.org')
  try {
    await mailer.send(sent)
  } finally {
    await mailer.close()
  }
}

it('reports an address that the server does not accept as refused', async () => {
  const elsewhere = { ...mail, to: { address: 'ada@elsewhere.example', name: 'Ada' } }
  await expect(send(elsewhere)).rejects.toBeInstanceOf(MailRefused)
})

it('reports an email that is larger than the server accepts as refused', async () => {
  await expect(send({ ...mail, text: 'Too long. '.repeat(10_000) })).rejects.toBeInstanceOf(MailRefused)
})

/** Waits for an email to this address. OpenSMTPD may also deliver what an earlier run left in its queue. */
async function waitForMail(address: string): Promise<ReceivedMail> {
  function find() {
    return mailbox.received.find(({ to }) => to === address)
  }
  await expect.poll(find).toBeDefined()
  return find() as ReceivedMail
}

it('delivers an email unchanged', async () => {
  await send(mail)
  expect(await waitForMail(mail.to.address)).toMatchObject({ subject: mail.subject, text: mail.text })
})

it('delivers the sign-in code of a server', async () => {
  const email = `owner-${randomUUID()}@example.org`
  const owner = { email, fullName: 'Olu Owner', password: 'a sound password' }
  const server = await spawnServer({ DATA_DIR: join(folder, 'data'), SMTP_URL: peer.url })
  try {
    const visitor = createHttpClient(server.url, '')
    await visitor.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
    expect(await visitor.call(authApi.login, { body: owner })).toMatchObject({ requires2FA: true })
    expect(readCode(await waitForMail(email))).toMatch(/^\d{6}$/)
  } finally {
    await server.stop()
  }
})
