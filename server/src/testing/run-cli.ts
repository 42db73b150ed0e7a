import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const cliPath = fileURLToPath(new URL('../cli.ts', import.meta.url))
/** Where the launcher keeps compiled code too: half the time of a start. */
const compiledCode = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url))

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
}

/** The real command as a process of its own, with settings as the environment would give them. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
  { maxFileKb }: { maxFileKb?: number } = {},
): Promise<CliResult> {
  const command = [process.execPath, cliPath, ...args]
  // The shell's own limit, which every file of the command then meets.
  const limited = ['/bin/sh', '-c', `ulimit -f ${(maxFileKb ?? 0) * 2}; exec "$0" "$@"`, ...command]
  const [program = '', ...rest] = maxFileKb === undefined ? command : limited
  const child = spawn(program, rest, {
    env: { LOG_LEVEL: 'error', NODE_COMPILE_CACHE: compiledCode, ...env, PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that ends without reading its input closes the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
