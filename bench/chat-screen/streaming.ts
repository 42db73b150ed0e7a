import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import type { Process } from '../server-process.ts'
import { type Screen, withPage } from './browser.ts'
import { type Session, type Stage, sendingPath } from './installation.ts'
import { lastPartIn } from './reply-text.ts'
import { counterOf, type Smoothness, watched } from './smoothness.ts'

export interface Scene {
  browser: Browser
  server: Process
  stage: Stage
  session: Session
}

const longestReplyMs = 240_000
const question = 'How does a spring give way?'

async function openChat({ page }: Screen, { server, stage }: Scene, chatId: string): Promise<void> {
  await page.goto(`${server.url}/channels/${stage.channelId}?chat=${chatId}`)
  await page.getByText('No messages yet').waitFor()
  await page.evaluate(() => document.fonts.ready)
  await sleep(1500)
}

async function ask({ page }: Screen): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(question)
  await page.keyboard.press('Enter')
}

// The cheapest selector: a search by role reads the whole page, and that work would be measured too.
async function isWritten({ page }: Screen): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-label="Regenerate"]') !== null, null, {
    timeout: longestReplyMs,
    polling: 250,
  })
}

async function streamTo(screen: Screen): Promise<Smoothness> {
  const [, smoothness] = await watched(screen, async () => {
    await ask(screen)
    await isWritten(screen)
  })
  return smoothness
}

/** Measures a reply on the channel screen, from the question to its last word, in each chat by turns. */
export function streamOnScreen(
  scene: Scene,
  [first = '', ...others]: readonly string[],
  slowdown: number,
): Promise<Smoothness[]> {
  return withPage(
    scene.browser,
    { url: scene.server.url, session: scene.session, slowdown },
    async (screen) => {
      await openChat(screen, scene, first)
      const all = [await streamTo(screen)]
      for (const chatId of others) {
        await screen.page.locator(`a[href*="${chatId}"]`).first().click()
        await screen.page.getByText('No messages yet').waitFor()
        await sleep(1000)
        all.push(await streamTo(screen))
      }
      return all
    },
  )
}

const plain = readFileSync(new URL('plain.html', import.meta.url), 'utf8')

/** Measures the same reply on a page that only shows it. */
export function streamOnPlainPage(scene: Scene, chatId: string, slowdown: number): Promise<Smoothness> {
  return withPage(
    scene.browser,
    { url: scene.server.url, session: scene.session, slowdown },
    async (screen) => {
      const { page } = screen
      const address = `${scene.server.url}/plain.html`
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: plain }))
      await page.goto(address)
      await page.unroute(address)
      await sleep(1500)
      const [, smoothness] = await watched(screen, async () => {
        const path = sendingPath(scene.stage, chatId)
        await page.evaluate(`ask(${JSON.stringify(path)}, ${JSON.stringify(question)})`)
      })
      return smoothness
    },
  )
}

export interface Weighing {
  tokens: number
  /** JavaScript heap in megabytes after garbage collection. */
  heap: number
  nodes: number
}

async function weigh(screen: Screen, tokens: number): Promise<Weighing> {
  await screen.cdp.send('HeapProfiler.collectGarbage')
  return {
    tokens,
    heap: (await counterOf(screen, 'JSHeapUsedSize')) / 1e6,
    nodes: await counterOf(screen, 'Nodes'),
  }
}

/** Measures the memory of a very long reply while it grows. Reading it pauses the page, so nothing else is measured. */
export function weighLongReply(scene: Scene, chatId: string, lookAt: readonly number[]): Promise<Weighing[]> {
  return withPage(scene.browser, { url: scene.server.url, session: scene.session }, async (screen) => {
    await openChat(screen, scene, chatId)
    const weighings = [await weigh(screen, 0)]
    await ask(screen)
    for (const tokens of lookAt) {
      await screen.page.waitForFunction(
        (part) => {
          const headings = document.querySelectorAll('[role=log] li h4')
          const last = headings.item(headings.length - 1)?.textContent ?? ''
          return Number(/^Part (\d+):/.exec(last)?.[1]) >= part
        },
        lastPartIn(tokens),
        { timeout: longestReplyMs, polling: 250 },
      )
      weighings.push(await weigh(screen, tokens))
    }
    await isWritten(screen)
    return [...weighings, await weigh(screen, Number.POSITIVE_INFINITY)]
  })
}
