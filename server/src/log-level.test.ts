import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from '#testing/spawn-server.ts'

const node = process.execPath
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
/** `script` runs a command at a terminal of its own. Its arguments differ between Linux and macOS. */
const atTerminal =
  process.platform === 'darwin'
    ? ['script', '-q', '/dev/null', node, main]
    : ['script', '-qec', `'${node}' '${main}'`, '/dev/null']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts the server, makes one request and returns everything that was printed. */
async function serveOneRequest(
  [program = '', ...args]: readonly string[],
  stop: (child: ChildProcessWithoutNullStreams) => void,
): Promise<string> {
  const port = String(await findFreePort())
  const child = spawn(program, args, {
    env: { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: port, BACKUP_EVERY: 'off' },
    stdio: 'pipe',
  })
  await once(child, 'spawn').catch(() => {
    throw new Error(`This test needs the program ${program}, which is part of util-linux.`)
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const exited = once(child, 'exit')
  try {
    await expect.poll(() => printed, { timeout: 90_000 }).toContain('Lyceum is ready')
    await fetch(`http://127.0.0.1:${port}/healthz`)
  } finally {
    stop(child)
    await exited
  }
  return printed
}

/** A graceful stop writes everything that was logged; killing `script` would lose it. */
function pressControlC(terminal: ChildProcessWithoutNullStreams): void {
  terminal.stdin.write('\x03')
}

describe('the log level without LOG_LEVEL', () => {
  it('logs every request for a log collector', async () => {
    expect(await serveOneRequest([node, main], (server) => server.kill('SIGTERM'))).toContain(
      '"msg":"request"',
    )
  })

  it('logs no requests at a terminal', async () => {
    expect(await serveOneRequest(atTerminal, pressControlC)).not.toContain('"msg":"request"')
  })
})
