import { spawn } from 'node:child_process'
import { root } from '../bin/pinned-node.mjs'

export type Outcome = { ok: boolean; output: string }

type Options = { env?: Record<string, string | undefined>; show?: boolean }

/** Runs one of the tools under this Node; what it says is kept, or with `show` goes straight to the screen. */
export function runTool(script: string, args: string[], { env, show }: Options = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
}
