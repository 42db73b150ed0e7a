import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../tools/suites/browser.ts'
import type { Session } from './installation.ts'

/** A page and its session of the Chrome DevTools protocol. */
export interface Screen {
  page: Page
  cdp: CDPSession
}

interface PageOptions {
  url: string
  session: Session
  /** The factor by which the CPU is slowed down. */
  slowdown?: number
}

const viewport = { width: 1280, height: 800 }

export async function withBrowser<R>(work: (browser: Browser) => Promise<R>): Promise<R> {
  const executablePath = findBrowser()
  if (executablePath === null)
    throw new Error('This measurement needs Chromium: run "npm run test:e2e" once.')
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Runs a task with the page of a signed-in user, in a browser without other stored data. */
export async function withPage<R>(
  browser: Browser,
  { url, session, slowdown = 1 }: PageOptions,
  work: (screen: Screen) => Promise<R>,
): Promise<R> {
  const localStorage = [
    { name: 'lyceum.token', value: session.token },
    { name: 'lyceum.user', value: JSON.stringify(session.user) },
  ]
  const context = await browser.newContext({
    viewport,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable')
    if (slowdown > 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    return await work({ page, cdp })
  } finally {
    await context.close()
  }
}
