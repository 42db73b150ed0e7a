import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import type { Process } from '../server-process.ts'
import { type Screen, withPage } from './browser.ts'
import { type Fixture, getSendPath, type Session } from './installation.ts'
import { findLastPart } from './reply-text.ts'
import { measureSmoothness, readCounter, type Smoothness } from './smoothness.ts'

export interface BenchContext {
  browser: Browser
  server: Process
  fixture: Fixture
  session: Session
}

const longestReplyMs = 240_000
const question = 'How does a spring give way?'

async function openChat({ page }: Screen, { server, fixture }: BenchContext, chatId: string): Promise<void> {
  await page.goto(`${server.url}/channels/${fixture.channelId}?chat=${chatId}`)
  await page.getByText('No messages yet').waitFor()
  await page.evaluate(() => document.fonts.ready)
  await sleep(1500)
}

async function askQuestion({ page }: Screen): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(question)
  await page.keyboard.press('Enter')
}

// The cheapest selector: a search by role reads the whole page, and that work would be measured too.
async function waitUntilReplyEnds({ page }: Screen): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-label="Regenerate"]') !== null, null, {
    timeout: longestReplyMs,
    polling: 250,
  })
}

async function measureStream(screen: Screen): Promise<Smoothness> {
  const [, smoothness] = await measureSmoothness(screen, async () => {
    await askQuestion(screen)
    await waitUntilReplyEnds(screen)
  })
  return smoothness
}

/** Measures a reply on the channel screen, from the question to its last word, in one chat after another. */
export function measureOnScreen(
  context: BenchContext,
  [first = '', ...others]: readonly string[],
  slowdown: number,
): Promise<Smoothness[]> {
  return withPage(
    context.browser,
    { url: context.server.url, session: context.session, slowdown },
    async (screen) => {
      await openChat(screen, context, first)
      const all = [await measureStream(screen)]
      for (const chatId of others) {
        await screen.page.locator(`a[href*="${chatId}"]`).first().click()
        await screen.page.getByText('No messages yet').waitFor()
        await sleep(1000)
        all.push(await measureStream(screen))
      }
      return all
    },
  )
}

const plain = readFileSync(new URL('plain.html', import.meta.url), 'utf8')

/** Measures the same reply on a page that only shows it. */
export function measureOnPlainPage(
  context: BenchContext,
  chatId: string,
  slowdown: number,
): Promise<Smoothness> {
  return withPage(
    context.browser,
    { url: context.server.url, session: context.session, slowdown },
    async (screen) => {
      const { page } = screen
      const address = `${context.server.url}/plain.html`
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: plain }))
      await page.goto(address)
      await page.unroute(address)
      await sleep(1500)
      const [, smoothness] = await measureSmoothness(screen, async () => {
        const path = getSendPath(context.fixture, chatId)
        await page.evaluate(`ask(${JSON.stringify(path)}, ${JSON.stringify(question)})`)
      })
      return smoothness
    },
  )
}

export interface MemorySample {
  tokens: number
  /** JavaScript heap in megabytes after garbage collection. */
  heap: number
  nodes: number
}

async function measureMemory(screen: Screen, tokens: number): Promise<MemorySample> {
  await screen.cdp.send('HeapProfiler.collectGarbage')
  return {
    tokens,
    heap: (await readCounter(screen, 'JSHeapUsedSize')) / 1e6,
    nodes: await readCounter(screen, 'Nodes'),
  }
}

/** Measures the memory of a very long reply while it grows. Each sample pauses the page, so nothing else is measured. */
export function measureLongReplyMemory(
  context: BenchContext,
  chatId: string,
  sampledTokens: readonly number[],
): Promise<MemorySample[]> {
  return withPage(context.browser, { url: context.server.url, session: context.session }, async (screen) => {
    await openChat(screen, context, chatId)
    const samples = [await measureMemory(screen, 0)]
    await askQuestion(screen)
    for (const tokens of sampledTokens) {
      await screen.page.waitForFunction(
        (part) => {
          const headings = document.querySelectorAll('[role=log] li h4')
          const last = headings.item(headings.length - 1)?.textContent ?? ''
          return Number(/^Part (\d+):/.exec(last)?.[1]) >= part
        },
        findLastPart(tokens),
        { timeout: longestReplyMs, polling: 250 },
      )
      samples.push(await measureMemory(screen, tokens))
    }
    await waitUntilReplyEnds(screen)
    return [...samples, await measureMemory(screen, Number.POSITIVE_INFINITY)]
  })
}
