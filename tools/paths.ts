import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../bin/pinned-node.mjs'

function getToolScript(name: string, script: string) {
  return join(root, 'node_modules', name, script)
}

// The scripts of the tools, run with this Node: the shims in node_modules/.bin differ between systems.
export const biome = getToolScript('@biomejs/biome', 'bin/biome')
export const knip = getToolScript('knip', 'bin/knip.js')
export const playwright = getToolScript('@playwright/test', 'cli.js')
export const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript-7/package.json')))
export const vitest = getToolScript('vitest', 'vitest.mjs')
