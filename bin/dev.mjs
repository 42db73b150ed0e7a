#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { watchNpmShell } from './npm-shell.mjs'
import { exitWithError, npmShell, requireNode, root } from './pinned-node.mjs'
import { findViteScript } from './web-client.mjs'

const node = requireNode()
const vite =
  findViteScript() ?? exitWithError('The build tools of the web client are missing. Please run "npm ci".')

const children = [
  spawn(node, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], { cwd: root, stdio: 'inherit' }),
  spawn(node, [vite], { cwd: join(root, 'web'), stdio: ['ignore', 'inherit', 'inherit'] }),
]

/** @param {NodeJS.Signals} signal */
function stopAll(signal) {
  for (const child of children) child.kill(signal)
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stopAll)
if (npmShell !== null) watchNpmShell(npmShell, () => stopAll('SIGTERM'))
for (const child of children) {
  // Neither is useful without the other, so when one exits, stop the other.
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    stopAll('SIGTERM')
  })
}
