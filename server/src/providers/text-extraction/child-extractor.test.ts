import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { constants, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createTextExtractor, type ExtractorOptions } from './child-extractor.ts'
import { type Line, makeTextPdf, type PdfParts } from './fixtures/make-pdf.ts'
import type { Extraction, ExtractionLane, ExtractionRequest } from './port.ts'
import { TooSlowError } from './port.ts'

const documents = fileURLToPath(new URL('../../testing/documents/', import.meta.url))
const mebibyte = 1024 * 1024

// A separate folder, so that leftover files can be counted.
const temporaryFolder = mkdtempSync(join(tmpdir(), 'lyceum-extraction-test-'))
vi.stubEnv('TMPDIR', temporaryFolder)
const extractors: { close(): Promise<void> }[] = []
function createExtractor(options: ExtractorOptions = {}) {
  const extractor = createTextExtractor(options)
  extractors.push(extractor)
  return extractor
}
const extractor = createExtractor()
afterAll(async () => {
  for (const { close } of extractors) await close()
  expect(readdirSync(temporaryFolder)).toEqual([])
  rmSync(temporaryFolder, { recursive: true })
})

const handbook = {
  kind: 'pdf',
  lane: 'slow',
  open: async () => createReadStream(`${documents}handbook.pdf`),
} as const

function createRequest(parts: PdfParts, pages = 1, lane: ExtractionLane = 'slow'): ExtractionRequest {
  const lines = Array.from({ length: pages }, (_, index): Line[] => [
    { text: `The keeper lights lamp number ${index + 1} at dusk`, y: 700 },
  ])
  const bytes = makeTextPdf(lines, parts)
  return { kind: 'pdf', lane, open: async () => Readable.from([bytes]) }
}

function getFault(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: { fault?: string }) => error.fault ?? error,
  )
}

function listLamps({ text }: Extraction): number[] {
  return [...text.matchAll(/lamp number (\d+)/g)].map(([, number]) => Number(number))
}

/** Returns the ids of the extraction processes started by this one. */
function listChildPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
        return (
          Number(parent) === process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('child-entry')
        )
      } catch {
        return false
      }
    })
}

/** Waits until a process has been started and has become Node. */
async function waitForChild(): Promise<number> {
  return await vi.waitUntil(() =>
    listChildPids().find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(process.execPath)),
  )
}

describe('a page', () => {
  it('that takes too much time is left out, and all others are read', async () => {
    const limited = createExtractor({ pageCpuMs: 1000 })
    const result = await limited.extract(createRequest({ endlessPages: [2, 4] }, 5))
    expect(listLamps(result)).toEqual([1, 3, 5])
    expect(result).toMatchObject({ pages: 5, unreadPages: [2, 4] })
  })

  it.runIf(process.platform === 'linux')(
    'that takes too much memory is left out, and all others are read',
    async () => {
      const limited = createExtractor({ residentBytes: 300 * mebibyte })
      const result = await limited.extract(createRequest({ hugePages: [1] }, 3))
      expect(listLamps(result)).toEqual([2, 3])
      expect(result).toMatchObject({ pages: 3, unreadPages: [1] })
    },
  )

  it('fails the document if there is no other page with text', async () => {
    const limited = createExtractor({ pageCpuMs: 1000 })
    expect(await getFault(limited.extract(createRequest({ endlessPages: [1] })))).toBe('timeout')
  })

  it('does not extend the time limit of the file', async () => {
    const limited = createExtractor({ pageCpuMs: 1000, fileCpuMs: 2500 })
    const pages = [1, 2, 3, 4, 5, 6, 7, 8]
    const slow = createRequest({ endlessPages: pages.slice(1) }, pages.length)
    expect(await getFault(limited.extract(slow))).toBe('timeout')
  })
})

describe('the extraction process', () => {
  it('is killed when it exceeds the time or heap limit', async () => {
    const withShortTimeout = createExtractor({ fileCpuMs: 20 })
    expect(await getFault(withShortTimeout.extract(handbook))).toBe('timeout')
    const withSmallHeap = createExtractor({ heapMegabytes: 12 })
    async function open() {
      return Readable.from([Buffer.from('word and \n'.repeat(500_000))])
    }
    expect(await getFault(withSmallHeap.extract({ kind: 'txt', lane: 'slow', open }))).toBe('out_of_memory')
  })

  it.runIf(process.platform === 'linux')(
    'is killed when it uses too much memory outside its heap',
    async () => {
      const withLowMemoryLimit = createExtractor({ residentBytes: mebibyte })
      expect(await getFault(withLowMemoryLimit.extract(handbook))).toBe('out_of_memory')
    },
  )

  it.runIf(process.platform === 'linux')('cannot own more memory than the kernel allows it', async () => {
    const unwatched = createExtractor({ residentBytes: Number.POSITIVE_INFINITY, dataMegabytes: 256 })
    expect(await getFault(unwatched.extract(createRequest({ hugePages: [1] })))).toBe('out_of_memory')
  })

  it.runIf(process.platform === 'linux')('is the first to end when the machine has no memory', async () => {
    const stop = new AbortController()
    const reading = getFault(
      extractor.extract({ ...createRequest({ endlessPages: [1] }), signal: stop.signal }),
    )
    const pid = await waitForChild()
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000')
    stop.abort(new Error('enough'))
    expect(await reading).toEqual(new Error('enough'))
  })

  it.runIf(process.platform === 'linux')('can die without affecting the next document', async () => {
    const dying = getFault(extractor.extract(handbook))
    const next = extractor.extract(handbook)
    process.kill(await waitForChild(), 'SIGKILL')
    expect(await dying).toBe('crashed')
    expect((await next).pages).toBe(7)
    expect(readdirSync(temporaryFolder)).toEqual([])
  })

  function endless(): Readable {
    return Readable.from(
      (async function* () {
        for (;;) {
          yield Buffer.alloc(64 * 1024, 'words and ')
          await new Promise(setImmediate)
        }
      })(),
    )
  }

  it.runIf(process.platform === 'linux')('can die while it still receives its file', async () => {
    const dying = getFault(extractor.extract({ kind: 'txt', lane: 'slow', open: async () => endless() }))
    process.kill(await waitForChild(), 'SIGKILL')
    expect(await dying).toBe('crashed')
  })

  it('does not wait for a file that stalls', async () => {
    const impatient = createExtractor({ stalledMs: 200 })
    const stalled = new Readable({ read: () => undefined })
    const reading = impatient.extract({ kind: 'txt', lane: 'slow', open: async () => stalled })
    expect(await getFault(reading)).toBe('crashed')
    expect(stalled.destroyed).toBe(true)
  })

  it('stops when aborted, even while waiting', async () => {
    const stop = new AbortController()
    const running = getFault(extractor.extract({ ...handbook, signal: stop.signal }))
    const waiting = getFault(extractor.extract({ ...handbook, signal: stop.signal }))
    stop.abort(new Error('enough'))
    expect(await running).toEqual(new Error('enough'))
    expect(await waiting).toEqual(new Error('enough'))
  })

  it('passes on a failure to open the file', async () => {
    async function open() {
      return createReadStream('/nowhere/at/all.pdf')
    }
    const gone = extractor.extract({ kind: 'pdf', lane: 'slow', open })
    await expect(gone).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a lane', () => {
  it('reads one document at a time', async () => {
    let opened = 0
    let maxOpened = 0
    async function open(): Promise<Readable> {
      opened++
      maxOpened = Math.max(maxOpened, opened)
      const stream = createReadStream(`${documents}menu.txt`)
      stream.once('close', () => opened--)
      return stream
    }
    await Promise.all([1, 2, 3].map(() => extractor.extract({ kind: 'txt', lane: 'quick', open })))
    expect(maxOpened).toBe(1)
  })

  it('gives up a slow document if it is the quick lane', async () => {
    const hasty = createExtractor({ quickMs: 300 })
    const reading = hasty.extract(createRequest({ endlessPages: [1] }, 1, 'quick'))
    await expect(reading).rejects.toBeInstanceOf(TooSlowError)
  })

  it('does not wait for the other', async () => {
    const stop = new AbortController()
    const slow = getFault(extractor.extract({ ...createRequest({ endlessPages: [1] }), signal: stop.signal }))
    expect((await extractor.extract({ ...handbook, lane: 'quick' })).pages).toBe(7)
    stop.abort(new Error('enough'))
    expect(await slow).toEqual(new Error('enough'))
  })

  it.runIf(process.platform === 'linux')('has a low priority if it is the slow one', async () => {
    const stop = new AbortController()
    const reading = getFault(
      extractor.extract({ ...createRequest({ endlessPages: [1] }), signal: stop.signal }),
    )
    expect(getPriority(await waitForChild())).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
    stop.abort(new Error('enough'))
    expect(await reading).toEqual(new Error('enough'))
  })
})
