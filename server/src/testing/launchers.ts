import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Launcher } from './spawn-server.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const main = join(repository, 'server/src/main.ts')
// biome-ignore lint/style/noProcessEnv: npm is wherever the test run found it
const { PATH = '' } = process.env

/** Builds nothing when asked to build, and otherwise runs until it is stopped, as a development server does. */
const clientBuilder = "if (process.argv[2] !== 'build') setInterval(() => undefined, 1000)"

/**
 * Creates a checkout with the real launchers and the real server, in which building the web client takes no time.
 * Without it, these tests would build the client while others use it.
 */
export function createCheckout(folder: string): string {
  const vite = join(folder, 'web/node_modules/vite')
  mkdirSync(join(vite, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'web/dist'))
  writeFileSync(join(folder, 'web/package.json'), '{}')
  writeFileSync(join(vite, 'package.json'), '{}')
  writeFileSync(join(vite, 'bin/vite.js'), clientBuilder)
  for (const path of ['node_modules', 'server', 'contract', 'package-lock.json'])
    symlinkSync(join(repository, path), join(folder, path))
  cpSync(join(repository, 'bin'), join(folder, 'bin'), { recursive: true })
  const { name, type, bin, scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, type, bin, scripts }))
  return folder
}

/** As Node before 22.15: the launcher cannot replace itself with the server, and runs it as a child. */
const withoutExecve = ['--import', 'data:text/javascript,delete process.execve']

const quietNpm = { npm_config_update_notifier: 'false', npm_config_loglevel: 'error', PATH }

/** Runs a command as the first process of a container, which the kernel protects from signals it does not handle. */
function asFirstProcess(...command: string[]): Launcher['command'] {
  const container = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']
  return ['unshare', ...container, ...command]
}

/** An init process as container runtimes offer it: runs the server and passes signals on to it. */
const init = `const server = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal))
  server.on('exit', (code) => process.exit(code ?? 1))`

/** Every way of starting the server that docs/operations.md describes, in a checkout. */
export function createLaunchers(checkout: string): Record<string, Launcher> {
  const node = process.execPath
  const home = { HOME: checkout, npm_config_cache: join(checkout, 'npm-cache') }
  const npm = { cwd: checkout, env: { ...quietNpm, ...home } }
  return {
    'node server/src/main.ts': { command: [node, main], cwd: checkout },
    'node bin/start.mjs': { command: [node, 'bin/start.mjs'], cwd: checkout },
    'node bin/start.mjs under Node 20': { command: [node, ...withoutExecve, 'bin/start.mjs'], cwd: checkout },
    'npm start': { command: ['npm', 'start'], ...npm },
    'npm run dev': { command: ['npm', 'run', 'dev'], ...npm },
    'npx lyceum start': { command: ['npx', '--no', 'lyceum', 'start'], ...npm },
    'the first process of a container': { command: asFirstProcess(node, main), cwd: checkout },
    'a container with an init process': {
      command: asFirstProcess(node, '-e', init, main),
      cwd: checkout,
    },
  }
}
