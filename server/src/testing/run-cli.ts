import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const cliPath = fileURLToPath(new URL('../cli.ts', import.meta.url))
/** The compile cache of the launcher, which halves the start time. */
const compiledCode = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url))

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the CLI as a separate process with the given environment. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
  { maxFileKb, cli = cliPath }: { maxFileKb?: number; cli?: string } = {},
): Promise<CliResult> {
  const command = [process.execPath, cli, ...args]
  // The shell's limit applies to every file the command writes.
  const limited = ['/bin/sh', '-c', `ulimit -f ${(maxFileKb ?? 0) * 2}; exec "$0" "$@"`, ...command]
  const [program = '', ...rest] = maxFileKb === undefined ? command : limited
  const child = spawn(program, rest, {
    env: { LOG_LEVEL: 'error', NODE_COMPILE_CACHE: compiledCode, ...env, PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that exits without reading its input closes the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
