// npm runs a script through a shell. When npm is asked to stop, it signals only that shell, and dash then ends without
// passing the signal on. Whatever npm starts must therefore notice that its shell has ended.
//
// Launchers also preload this file into the process they start: `--import npm-shell.mjs?pid=<shell>`.
import { isMainThread } from 'node:worker_threads'

/** The scripts and commands of ours that npm runs: `npm start`, `npm run dev`, `npx lyceum`. */
const ourScripts = ['start', 'dev', 'npx']

/**
 * The process id of the shell in which npm runs this process; null without one.
 * @returns {number | null}
 */
export function findNpmShell() {
  return ourScripts.includes(process.env['npm_lifecycle_event'] ?? '') ? process.ppid : null
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * @param {number} shell
 * @param {() => void} onEnded
 */
export function watchNpmShell(shell, onEnded) {
  const timer = setInterval(() => {
    if (isRunning(shell)) return
    clearInterval(timer)
    onEnded()
  }, 250)
  timer.unref()
}

/** @param {number} shell */
export function createWatchFlags(shell) {
  return ['--import', `${import.meta.url}?pid=${shell}`]
}

const watched = new URL(import.meta.url).searchParams.get('pid')
// Worker threads preload it too.
if (watched && isMainThread) watchNpmShell(Number(watched), () => process.kill(process.pid, 'SIGTERM'))
