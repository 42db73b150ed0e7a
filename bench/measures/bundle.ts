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
  what: string
  /** Modules that are loaded before it can be used, besides the entry. */
  modules: readonly string[]
  /** Kilobytes of JavaScript after gzip. */
  bar?: number
}

const user = 'src/app/layouts/UserLayout.tsx'
const admin = 'src/app/layouts/AdminLayout.tsx'

const maths = 'src/features/chats/reply/katex.ts'
const code = 'src/features/chats/reply/highlight.ts'

const screens: readonly Screen[] = [
  { what: '/login', modules: ['src/pages/login.tsx'], bar: 110 },
  { what: '/register', modules: ['src/pages/register.tsx'], bar: 110 },
  { what: '/dashboard', modules: [user, 'src/pages/dashboard.tsx'], bar: 119 },
  { what: 'chat', modules: [user, 'src/pages/channel.tsx'], bar: 193 },
  { what: 'chat with maths', modules: [user, 'src/pages/channel.tsx', maths], bar: 269 },
  { what: 'chat with maths and code', modules: [user, 'src/pages/channel.tsx', maths, code] },
  { what: '/admin', modules: [admin, 'src/pages/admin/home.tsx'], bar: 180 },
  { what: '/admin/channels', modules: [admin, 'src/pages/admin/channels.tsx'], bar: 180 },
  { what: '/admin/documents', modules: [admin, 'src/pages/admin/documents.tsx'], bar: 182 },
  { what: '/admin/users', modules: [admin, 'src/pages/admin/users.tsx'], bar: 180 },
  { what: '/admin/chat-history', modules: [admin, 'src/pages/admin/chat-history.tsx'], bar: 180 },
  { what: '/admin/chat-history/:id', modules: [admin, 'src/pages/admin/chat-history-detail.tsx'], bar: 180 },
  { what: '/admin/settings', modules: [admin, 'src/pages/admin/settings.tsx'], bar: 180 },
]

const dist = join(root, 'web', 'dist')

/** Everything a browser fetches for these modules: they and what they import statically. */
function filesOf(manifest: Manifest, modules: readonly string[]): Set<string> {
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
function sizeOnTheWire(file: string, encoding: 'gz' | 'br'): number {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.${encoding}`) ? `${path}.${encoding}` : path).size
}

function kilobytes(files: ReadonlySet<string>, encoding: 'gz' | 'br'): number {
  return [...files].reduce((sum, file) => sum + sizeOnTheWire(file, encoding), 0) / 1000
}

export const bundle: Measure = {
  name: 'bundle',
  title: 'JavaScript on the wire, by screen',
  async run() {
    const path = join(dist, '.vite', 'manifest.json')
    if (!existsSync(path)) throw new Error('The web client is not built: run "npm run build" first.')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    return screens.flatMap(({ what, modules, ...bar }): Figure[] => {
      const files = filesOf(manifest, modules)
      const requests = `${files.size} files`
      return [
        { what: `${what}, gzip`, value: kilobytes(files, 'gz'), unit: 'kB', ...bar, note: requests },
        { what: `${what}, brotli`, value: kilobytes(files, 'br'), unit: 'kB' },
      ]
    })
  },
}
