import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { exitWithError, requireNode, root } from './pinned-node.mjs'

const dist = join(root, 'web', 'dist')
const fingerprintFile = join(dist, '.stamp')

/** Builds the web client unless web/dist was built from exactly these sources. */
export function buildWebClientIfStale() {
  const fingerprint = computeFingerprint()
  if (existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === fingerprint) return
  buildWebClient(fingerprint)
}

export function buildWebClient(fingerprint = computeFingerprint()) {
  const vite =
    findViteScript() ??
    exitWithError('The web client is not built and its build tools are missing. Please run "npm ci".')
  process.stdout.write('Building the web client…\n')
  rmSync(fingerprintFile, { force: true })
  const { status } = spawnSync(requireNode(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'web'),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) exitWithError('The web client could not be built; see the errors above.')
  writeFileSync(fingerprintFile, fingerprint)
}

export function findViteScript() {
  try {
    const manifest = createRequire(join(root, 'web', 'package.json')).resolve('vite/package.json')
    return join(dirname(manifest), 'bin', 'vite.js')
  } catch {
    return null
  }
}

/** Hashes contents and build settings, not file times, which change in a fresh checkout or a copied folder. */
function computeFingerprint() {
  const hash = createHash('sha256')
  for (const path of [...listSources('web'), ...listSources('contract'), 'package-lock.json']) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  for (const [name, value] of Object.entries(process.env).sort()) {
    if (name.startsWith('VITE_')) hash.update(`${name}=${value}\0`)
  }
  return hash.digest('hex')
}

const notSources = new Set(['dist', 'node_modules', 'testing'])

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listSources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !notSources.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listSources(path) : [path]
    })
}
