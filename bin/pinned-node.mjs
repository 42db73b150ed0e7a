// Plain JavaScript on purpose: this runs under any installed Node, to find the one that the server needs.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWatchFlags, findNpmShell } from './npm-shell.mjs'

const neededMajor = 24

// Read before anything else runs: when the shell ends, this process gets another parent.
export const npmShell = findNpmShell()

export const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} version */
function isNewEnough(version) {
  return Number(version.replace(/^v/, '').split('.')[0]) >= neededMajor
}

/**
 * Returns the Node from node_modules, else the running one if it is new enough.
 * @returns {string | null}
 */
function findNode() {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (process.execPath === pinned || canRun(pinned)) return pinned
  return isNewEnough(process.version) ? process.execPath : null
}

/**
 * The file may exist but not start, for example on a Linux without glibc.
 * @param {string} path
 */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout)
}

/** Like `findNode`, but prints a sentence and exits when there is none. */
export function requireNode() {
  const node = findNode()
  if (node) return node
  return exitWithError(
    `Lyceum needs Node ${neededMajor} or newer but found ${process.version}. Please run "npm ci", which installs it on Linux, or install it yourself.`,
  )
}

/**
 * @param {string} message
 * @returns {never}
 */
export function exitWithError(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

// Node caches compiled code and stripped types here between starts. This saves a quarter of the start time and the memory
// of the type stripper.
const compileCache = join(root, 'node_modules', '.cache', 'node')

/**
 * Runs a TypeScript file of this repository in place of this process (`execve`), so that it receives signals
 * directly and no second process takes memory. Where the system has no `execve`, runs it as a child process.
 * @param {string} script path from the repository's root
 * @param {string[]} args
 * @param {string[]} [flags] for Node itself
 */
export function execScript(script, args, flags = []) {
  const node = requireNode()
  const watchFlags = npmShell === null ? [] : createWatchFlags(npmShell)
  const argv = [...watchFlags, ...flags, join(root, script), ...args]
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  if (process.execve) process.execve(node, [node, ...argv], env)

  const child = spawn(node, argv, { stdio: 'inherit', env })
  child.on('error', (error) => exitWithError(`Node could not be started: ${error.message}`))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // A terminal or systemd may have sent it to the child too; the server takes both for one.
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
