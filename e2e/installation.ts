import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { test as base, expect, type Page } from '@playwright/test'
import { createHttpClient, type HttpClient } from '../server/src/testing/http-client.ts'
import {
  type ReceivedMail,
  readOutbox,
  startMailServer,
  type TestMailServer,
} from '../server/src/testing/mail-server.ts'
import { type ModelStandIn, startModelStandIn } from '../server/src/testing/model-stand-in.ts'
import { findFreePort, type SpawnedServer, spawnServer } from '../server/src/testing/spawn-server.ts'

export const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

/** The narrowest screen that the product supports. */
export const phone = { width: 360, height: 740 }

const documents = new URL('../server/src/testing/documents/', import.meta.url)

/** The path of a sample document to upload. */
export function getDocumentPath(name: string): string {
  return new URL(name, documents).pathname
}

/** A new server with an empty data folder, as after a fresh installation. */
export interface Installation {
  url: string
  setupToken: string
  /** Kills the server and starts it again on the same address. */
  crash(): Promise<void>
  /** Registers the first user through the API. */
  setUp(): Promise<HttpClient>
  /** The emails in the outbox of an installation without a mail server. */
  outbox(): Promise<ReceivedMail[]>
}

interface Settings {
  /** Whether the server uses the model stand-in; without it the built-in assistant answers. */
  withModel: boolean
  /** Whether the server has a mail server; without it emails are written to the outbox. */
  withMail: boolean
}

interface Fixtures {
  installation: Installation
  model: ModelStandIn
  mail: TestMailServer
}

export const test = base.extend<Settings & Fixtures>({
  withModel: [false, { option: true }],
  withMail: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  mail: async ({}, use) => {
    const mail = await startMailServer()
    await use(mail)
    await mail.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  model: async ({}, use) => {
    const model = await startModelStandIn()
    await use(model)
    await model.close()
  },
  installation: async ({ withModel, withMail, model, mail }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-journey-'))
    const settings = {
      DATA_DIR: folder,
      PORT: String(await findFreePort()),
      ...(withModel ? { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'a-key', EMBEDDING_MODEL: 'none' } : {}),
      ...(withMail ? { SMTP_URL: mail.url } : {}),
    }
    let server: SpawnedServer = await spawnServer(settings)
    const { url } = server
    const setupToken = server.setupToken()
    await use({
      url,
      setupToken,
      async crash() {
        await server.kill()
        server = await spawnServer(settings)
      },
      async setUp() {
        await createHttpClient(url, '').call(authApi.register, { body: { ...owner, token: setupToken } })
        const { token = '' } = await createHttpClient(url, '').call(authApi.login, { body: owner })
        return createHttpClient(url, token)
      },
      outbox: () => readOutbox(folder),
    })
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  },
})

interface ChannelOptions {
  name?: string
  strict?: boolean
  documents: readonly string[]
}

/** Creates a channel whose documents are approved and indexed. */
export async function createReadyChannel(client: HttpClient, options: ChannelOptions): Promise<string> {
  const { _id: channelId } = await client.call(channelsApi.create, {
    body: {
      name: options.name ?? 'Staff handbook',
      description: 'Rules for all employees',
      llmModel: 'gpt-4o',
      strictDocumentsOnly: options.strict ?? false,
    },
  })
  for (const name of options.documents) {
    const content = new Uint8Array(await readFile(getDocumentPath(name)))
    const uploaded = await client.upload(documentsApi.upload, { channelId, title: name }, { name, content })
    const { _id: id } = (await uploaded.json()) as Document
    await client.call(documentsApi.approve, { params: { id } })
  }
  async function states(): Promise<string[]> {
    const listed = (await client.call(documentsApi.list, { query: { channelId } })) as Document[]
    return [...new Set(listed.map(({ index }) => index.state))]
  }
  const expected = options.documents.length > 0 ? ['ready'] : []
  await expect.poll(states).toEqual(expected)
  return channelId
}

export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
}

/** Waits until what is opening or closing has done so: text that fades in has too little contrast. */
async function settleTransitions(page: Page): Promise<void> {
  function listTransitions(): Promise<string[]> {
    return page.evaluate(() =>
      document
        .getAnimations()
        .flatMap((animation) => (animation instanceof CSSTransition ? [animation.transitionProperty] : [])),
    )
  }
  await expect.poll(listTransitions).toEqual([])
}

/** Expects the accessibility checker to report nothing, in the light and the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settleTransitions(page)
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    )
    expect(found, `${page.url()} ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** Expects that the page is not wider than the window. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(excess, page.url()).toBeLessThanOrEqual(0)
}

/** Collects the browser's errors and warnings; a journey must end without any. */
export function watchConsole(page: Page): string[] {
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.push(String(error)))
  return consoleErrors
}
