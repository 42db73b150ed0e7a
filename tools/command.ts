import { spawn } from 'node:child_process'
import { root } from '../bin/pinned-node.mjs'

export type Outcome = { ok: boolean; output: string }

type Options = {
  env?: Record<string, string | undefined>
  /** Prints the output directly instead of returning it. */
  show?: boolean
  onOutput?: (text: string) => void
}

/** A run that hangs must end with a result too, well before CI's own time limit. */
const limitMinutes = 70

/** Runs a tool under this Node and returns its output. */
export function runTool(
  script: string,
  args: string[],
  { env, show, onOutput }: Options = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
    function stop() {
      return child.kill()
    }
    process.once('exit', stop)
    let killing: NodeJS.Timeout | undefined
    const limit = setTimeout(() => {
      console.log(`✗ stopped after ${limitMinutes} minutes: ${[script, ...args].join(' ')}`)
      stop()
      // A process that hangs may ignore SIGTERM.
      killing = setTimeout(() => child.kill('SIGKILL'), 30_000)
    }, limitMinutes * 60_000)

    let output = ''
    function collect(text: string) {
      output += text
      onOutput?.(text)
    }
    function finish(outcome: Outcome) {
      clearTimeout(limit)
      clearTimeout(killing)
      process.removeListener('exit', stop)
      resolve(outcome)
    }
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)
    child.on('error', (error) => finish({ ok: false, output: error.message }))
    child.on('close', (code) => finish({ ok: code === 0, output: output.trim() }))
  })
}

/** Stops the running tools when this process is told to exit. */
export function stopToolsOnExit(): void {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}
