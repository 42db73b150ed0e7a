import { setTimeout as sleep } from 'node:timers/promises'
import type { Screen } from './browser.ts'
import { withPage } from './browser.ts'
import { measureSmoothness, readCounter, type Smoothness } from './smoothness.ts'
import type { BenchContext } from './streaming.ts'

interface Marks {
  shownAt: number
  enterAt: number
  sentAt: number
}

declare global {
  interface Window {
    marks: Marks
  }
}

const scrollDurationMs = 4000
const wheelIntervalMs = 50
const wheelDelta = 300

/** Records when a text first appears on the screen, in ms since the page's navigation. */
async function recordWhenShown({ page }: Screen, text: string): Promise<void> {
  await page.addInitScript((wanted) => {
    window.marks = { shownAt: 0, enterAt: 0, sentAt: 0 }
    const observer = new MutationObserver(() => {
      // Look at several rows: messages sent in earlier rounds come after the one we wait for.
      const rows = [...document.querySelectorAll('[role=log] ol > li')].slice(-8)
      if (!rows.some((row) => row.textContent?.includes(wanted))) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => (window.marks.shownAt = performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })
  }, text)
}

function recordSending({ page }: Screen, text: string): Promise<void> {
  return page.evaluate((wanted) => {
    addEventListener('keydown', () => (window.marks.enterAt = performance.now()), { capture: true })
    const list = document.querySelector('[role=log] ol')
    const observer = new MutationObserver(() => {
      const rows = [...(list?.children ?? [])].slice(-3)
      if (!rows.some((row) => row.textContent?.includes(wanted))) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => (window.marks.sentAt = performance.now())))
    })
    if (list) observer.observe(list, { childList: true, subtree: true })
  }, text)
}

async function scrollUp({ page }: Screen): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.mouse.move(width / 2 + 100, height / 2)
  const until = performance.now() + scrollDurationMs
  while (performance.now() < until) {
    await page.mouse.wheel(0, -wheelDelta)
    await sleep(wheelIntervalMs)
  }
}

export interface LongChatTimes {
  /** Milliseconds from the navigation until the last message was painted. */
  shown: number
  /** DOM nodes once the page was idle. */
  nodes: number
  scrolling: Smoothness
  /** Milliseconds from Enter until the message was painted. */
  sending: number
}

/** Opens a chat with the client's files in the browser's cache, sends a message, and scrolls up. */
export function openLongChat(
  context: BenchContext,
  chatId: string,
  length: number,
  slowdown: number,
): Promise<LongChatTimes> {
  return withPage(
    context.browser,
    { url: context.server.url, session: context.session, slowdown },
    async (screen) => {
      const { page } = screen
      const address = `${context.server.url}/channels/${context.fixture.channelId}?chat=${chatId}`
      await recordWhenShown(screen, `Message ${length - 1}.`)
      await page.goto(address)
      await page.waitForFunction(() => window.marks.shownAt > 0)
      await page.goto(address)
      await page.waitForFunction(() => window.marks.shownAt > 0)
      const shown = await page.evaluate(() => window.marks.shownAt)
      await sleep(2000)
      const nodes = await readCounter(screen, 'Nodes')
      const question = `A question about ${Math.random()}`
      await page.getByRole('textbox', { name: 'Message' }).fill(question)
      await recordSending(screen, question)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => window.marks.sentAt > 0)
      const sending = await page.evaluate(() => window.marks.sentAt - window.marks.enterAt)
      await sleep(2000)
      const [, scrolling] = await measureSmoothness(screen, () => scrollUp(screen))
      return { shown, nodes, scrolling, sending }
    },
  )
}
