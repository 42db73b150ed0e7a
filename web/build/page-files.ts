import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

const preloadLink = /\n?\s*<link rel="modulepreload" crossorigin href="\/([^"]+)">/g

const layoutModules: Record<string, string> = {
  user: 'app/layouts/UserLayout.tsx',
  admin: 'app/layouts/AdminLayout.tsx',
}
const routePattern = /path: '([^'*]+)',[^{}]*?layout: '([^']+)',[^{}]*?import\('#pages\/([^']+)'\)/g

/** Adds scripts before the entry, which is the last one. Each must come after the scripts that it imports. */
function addScripts(html: string, files: readonly string[]): string {
  const entry = html.lastIndexOf('<script type="module"')
  if (entry === -1) throw new Error('The page has no entry.')
  const scripts = files.map((file) => `<script type="module" crossorigin src="/${file}"></script>\n    `)
  return html.slice(0, entry) + scripts.join('') + html.slice(entry)
}

/** Adds a chunk after everything that it imports statically. */
function addFiles(bundle: Bundle, fileName: string, files: Set<string>, visited: Set<string>): void {
  const chunk = bundle[fileName]
  if (chunk?.type !== 'chunk' || visited.has(fileName)) return
  visited.add(fileName)
  for (const imported of chunk.imports) addFiles(bundle, imported, files, visited)
  files.add(fileName)
}

/** Lists the chunks of modules and everything that they import statically, imports first. */
function listFiles(bundle: Bundle, modules: readonly string[]): string[] {
  const files = new Set<string>()
  const visited = new Set<string>()
  for (const module of modules) {
    const chunk = Object.values(bundle).find(
      (output) =>
        output.type === 'chunk' && output.facadeModuleId?.replaceAll('\\', '/').endsWith(`/src/${module}`),
    )
    if (chunk) addFiles(bundle, chunk.fileName, files, visited)
  }
  return [...files]
}

/**
 * Writes a document for each route that names all scripts of its page. A browser runs a script and all that it imports in
 * one task. Named one by one, each runs in its own, and a slow phone responds to input in between. Without the names, the
 * browser would also learn of the scripts of a page only after it has loaded and run the entry.
 */
export function pageFiles(root: string): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const imported = [...html.matchAll(preloadLink)].flatMap(([, file]) => file ?? [])
        return addScripts(html.replaceAll(preloadLink, ''), imported)
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('The build has no index.html.')
        const html = String(index.source)
        const routes = readFileSync(join(root, 'src/app/routes.ts'), 'utf8')
        const documents = new Map<string, string>()
        const pages: { path: string; file: string }[] = []
        for (const [, path = '', layout = '', page = ''] of routes.matchAll(routePattern)) {
          const modules = [layoutModules[layout] ?? [], `pages/${page}`].flat()
          const files = listFiles(bundle, modules).filter((file) => !html.includes(`"/${file}"`))
          const file = `pages/${page.replaceAll('/', '-').replace('.tsx', '.html')}`
          const document = addScripts(html, files)
          if ((documents.get(file) ?? document) !== document)
            throw new Error(`Routes with the page ${basename(page)} need different scripts.`)
          documents.set(file, document)
          pages.push({ path, file })
        }
        for (const [fileName, source] of documents) this.emitFile({ type: 'asset', fileName, source })
        this.emitFile({ type: 'asset', fileName: '.vite/pages.json', source: JSON.stringify(pages) })
      },
    },
  }
}
