import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, chromium } from '@playwright/test'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { createTrustedCertificate } from '../../tools/peers/certificate.ts'
import { startCaddy } from '../../tools/peers/proxies.ts'
import { findBrowser } from '../../tools/suites/browser.ts'
import {
  createFixture,
  type Fixture,
  type Session,
  signInTo,
  withServer,
} from '../chat-screen/installation.ts'
import type { Figure, Measure } from '../figures.ts'
import { withFolder } from '../server-process.ts'

/** Every route that needs no link from an email, and a chat of 2,000 messages. */
function listScreens(fixture: Fixture, { user }: Session): Screen[] {
  const chat = `/channels/${fixture.channelId}?chat=`
  const visitor = ['/login', '/admin/login', '/forgot-password', '/reset-password?token=unknown']
  const signedIn = [
    '/dashboard',
    '/profile',
    '/not-a-page',
    '/chatbot',
    '/admin',
    '/admin/users',
    `/admin/users/${user?._id}`,
    '/admin/groups',
    '/admin/channels',
    '/admin/documents',
    '/admin/documents?status=approved',
    '/admin/chat-history',
    '/admin/analytics',
    '/admin/audit-log',
    '/admin/settings',
  ]
  return [
    { label: 'chat of 10', path: chat + fixture.shortChat, min: 95, isSignedIn: true },
    { label: 'chat of 2,000', path: chat + fixture.longChat, min: 92, isSignedIn: true },
    { label: 'whole chat', path: `/admin/chat-history/${fixture.longChat}`, min: 92, isSignedIn: true },
    ...signedIn.map((path) => ({ label: path, path, min: 95, isSignedIn: true })),
    ...visitor.map((path) => ({ label: path, path, min: 95, isSignedIn: false })),
  ]
}

/** Where Lighthouse is installed: `npm install --prefix <folder> lighthouse@13.5`. Too large for a dev dependency. */
const lighthouseFolder = process.env['LIGHTHOUSE_HOME'] ?? ''
const entry = join(lighthouseFolder, 'node_modules', 'lighthouse', 'core', 'index.js')

interface Result {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number; score: number | null; title: string } | undefined>
}

type Lighthouse = (
  url: string,
  settings: Record<string, unknown>,
) => Promise<{ lhr: Result; report: string } | undefined>

interface Screen {
  label: string
  path: string
  /** Minimum performance score. */
  min: number
  isSignedIn: boolean
}

/** One run differs from the next by up to 15 points. */
const defaultRounds = 5

function getScore({ categories }: Result, name: string): number {
  return Math.round((categories[name]?.score ?? 0) * 100)
}

function listFailedAudits({ audits }: Result): string {
  return Object.values(audits)
    .filter((audit) => audit?.score === 0)
    .map((audit) => audit?.title)
    .join('; ')
}

/** The run with the middle score. */
function findMedian(runs: readonly Result[]): Result {
  const sorted = runs.toSorted((a, b) => getScore(a, 'performance') - getScore(b, 'performance'))
  const median = sorted[Math.floor(sorted.length / 2)]
  if (median === undefined) throw new Error('Lighthouse returned no result')
  return median
}

/** Performance is that of the median run. For the rest, the worst run counts. */
function toFigures({ label, min }: Screen, runs: readonly Result[]): Figure[] {
  const median = findMedian(runs)
  const scores = runs.map((run) => getScore(run, 'performance')).sort((a, b) => a - b)
  function value(name: string): number {
    return median.audits[name]?.numericValue ?? Number.NaN
  }
  return [
    {
      label: `${label}: performance`,
      value: getScore(median, 'performance'),
      unit: '',
      min,
      note: `median of ${scores.join(', ')}`,
    },
    ...['accessibility', 'best-practices'].map((name): Figure => {
      const worst = runs.reduce((a, b) => (getScore(b, name) < getScore(a, name) ? b : a))
      const isPerfect = getScore(worst, name) === 100
      const note = isPerfect ? '' : listFailedAudits(worst)
      return { label: `${label}: ${name}`, value: getScore(worst, name), unit: '', min: 100, note }
    }),
    { label: `${label}: largest contentful paint`, value: value('largest-contentful-paint'), unit: 'ms' },
    { label: `${label}: total blocking time`, value: value('total-blocking-time'), unit: 'ms' },
    { label: `${label}: layout shift`, value: value('cumulative-layout-shift'), unit: '', max: 0.02 },
  ]
}

async function storeSession(context: BrowserContext, url: string, { token, user }: Session): Promise<void> {
  const page = await context.newPage()
  // A file without scripts, so that the page that is measured is the first to run them.
  await page.goto(`${url}/logo.svg`)
  await page.evaluate(
    (entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    },
    { 'lyceum.token': token, 'lyceum.user': JSON.stringify(user) },
  )
  await page.close()
}

interface Site {
  url: string
  /** Hash of the public key of its certificate, which the browser is to trust. */
  keyHash: string
}

/** Puts Caddy with `deploy/Caddyfile` before the server, so that the browser speaks HTTP/2 as in the documented setup. */
async function withProxy<R>(
  folder: string,
  server: { url: string },
  work: (site: Site) => Promise<R>,
): Promise<R> {
  const certificate = createTrustedCertificate(folder)
  const { publicKey } = new X509Certificate(readFileSync(certificate.certificate))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const proxy = await startCaddy({ folder, certificate, serverPort: new URL(server.url).port })
  try {
    return await work({ url: proxy.https, keyHash: createHash('sha256').update(spki).digest('base64') })
  } finally {
    await proxy.stop()
  }
}

/** Starts a browser with a debugging port and a stored session. */
async function withBrowserAt<R>(
  folder: string,
  { url, keyHash, session }: Site & { session: Session | null },
  work: (port: number) => Promise<R>,
): Promise<R> {
  const port = await findFreePort()
  const executablePath = findBrowser()
  const context = await chromium.launchPersistentContext(folder, {
    ...(executablePath === null ? {} : { executablePath }),
    viewport: null,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      `--ignore-certificate-errors-spki-list=${keyHash}`,
      `--remote-debugging-port=${port}`,
    ],
  })
  try {
    if (session !== null) await storeSession(context, url, session)
    return await work(port)
  } finally {
    await context.close()
  }
}

export const lighthouse: Measure = {
  name: 'lighthouse',
  title: 'Lighthouse, mobile profile, behind Caddy',
  isLong: true,
  run: (logStep, { rounds }) =>
    withFolder(async (folder) => {
      if (!existsSync(entry)) {
        logStep('skipped: set LIGHTHOUSE_HOME to the folder in which Lighthouse is installed')
        return []
      }
      const { default: run } = (await import(pathToFileURL(entry).href)) as { default: Lighthouse }
      const fixture = await createFixture(folder)
      const pace = { tokens: 20, delayMs: 10 }
      return withServer(folder, pace, async (server) => {
        const session = await signInTo(server, fixture)
        return withProxy(folder, server, async (site) => {
          const figures: Figure[] = []
          for (const [at, screen] of listScreens(fixture, session).entries()) {
            logStep(screen.label)
            const target = { ...site, session: screen.isSignedIn ? session : null }
            const results: Result[] = []
            for (let round = 0; round < (rounds ?? defaultRounds); round++) {
              // Lighthouse clears the cache before it loads a page, but keeps the session.
              const result = await withBrowserAt(join(folder, `browser-${at}-${round}`), target, (port) =>
                run(site.url + screen.path, {
                  port,
                  output: 'json',
                  logLevel: 'error',
                  onlyCategories: ['performance', 'accessibility', 'best-practices'],
                }),
              )
              if (result) results.push(result.lhr)
            }
            figures.push(...toFigures(screen, results))
          }
          return figures
        })
      })
    }),
}
