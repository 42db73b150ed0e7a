import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import type { Figure, Measure } from '../figures.ts'

interface Chunk {
  file: string
  imports?: string[]
}

type Manifest = Record<string, Chunk>

interface Screen {
  label: string
  /** Modules that must load before the screen can be used, besides the entry. */
  modules: readonly string[]
  /** Kilobytes of JavaScript after gzip. */
  max?: number
}

const userLayout = 'src/app/layouts/UserLayout.tsx'
const adminLayout = 'src/app/layouts/AdminLayout.tsx'

const maths = 'src/features/chats/reply/katex.ts'
const code = 'src/features/chats/reply/highlight.ts'

const screens: readonly Screen[] = [
  { label: '/login', modules: ['src/pages/login.tsx'], max: 112 },
  { label: '/register', modules: ['src/pages/register.tsx'], max: 112 },
  { label: '/dashboard', modules: [userLayout, 'src/pages/dashboard.tsx'], max: 130 },
  { label: 'chat', modules: [userLayout, 'src/pages/channel.tsx'], max: 193 },
  { label: 'chat with maths', modules: [userLayout, 'src/pages/channel.tsx', maths], max: 269 },
  { label: 'chat with maths and code', modules: [userLayout, 'src/pages/channel.tsx', maths, code] },
  { label: '/admin', modules: [adminLayout, 'src/pages/admin/home.tsx'], max: 180 },
  { label: '/admin/channels', modules: [adminLayout, 'src/pages/admin/channels.tsx'], max: 192 },
  { label: '/admin/documents', modules: [adminLayout, 'src/pages/admin/documents.tsx'], max: 192 },
  { label: '/admin/users', modules: [adminLayout, 'src/pages/admin/users.tsx'], max: 185 },
  { label: '/admin/chat-history', modules: [adminLayout, 'src/pages/admin/chat-history.tsx'], max: 186 },
  {
    label: '/admin/chat-history/:id',
    modules: [adminLayout, 'src/pages/admin/chat-history-detail.tsx'],
    max: 180,
  },
  { label: '/admin/settings', modules: [adminLayout, 'src/pages/admin/settings.tsx'], max: 183 },
]

const dist = join(root, 'web', 'dist')

/** Everything a browser fetches for these modules: the modules and their static imports. */
function listFiles(manifest: Manifest, modules: readonly string[]): Set<string> {
  const seen = new Set<string>()
  function visit(key: string): void {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`${key} is not in the build: run "npm run build"`)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const key of ['index.html', ...modules]) visit(key)
  return new Set([...seen].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js')))
}

/** The size as the server sends it: small files are not compressed. */
function getTransferSize(file: string, encoding: 'gz' | 'br'): number {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.${encoding}`) ? `${path}.${encoding}` : path).size
}

function sumKilobytes(files: ReadonlySet<string>, encoding: 'gz' | 'br'): number {
  return [...files].reduce((sum, file) => sum + getTransferSize(file, encoding), 0) / 1000
}

export const bundle: Measure = {
  name: 'bundle',
  title: 'JavaScript on the wire, by screen',
  async run() {
    const path = join(dist, '.vite', 'manifest.json')
    if (!existsSync(path)) throw new Error('The web client is not built: run "npm run build" first.')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    return screens.flatMap(({ label, modules, ...limits }): Figure[] => {
      const files = listFiles(manifest, modules)
      const requests = `${files.size} files`
      return [
        { label: `${label}, gzip`, value: sumKilobytes(files, 'gz'), unit: 'kB', ...limits, note: requests },
        { label: `${label}, brotli`, value: sumKilobytes(files, 'br'), unit: 'kB' },
      ]
    })
  },
}
