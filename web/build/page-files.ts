import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** A page with the files that the browser needs for it besides those that index.html names. */
interface PageFiles {
  path: string
  files: string[]
}

const layoutModules: Record<string, string> = {
  user: 'app/layouts/UserLayout.tsx',
  admin: 'app/layouts/AdminLayout.tsx',
}
const routePattern = /path: '([^'*]+)',[^{}]*?layout: '([^']+)',[^{}]*?import\('#pages\/([^']+)'\)/g

/** Adds a chunk and everything it imports statically. */
function addFiles(bundle: Bundle, fileName: string, files: Set<string>): void {
  const chunk = bundle[fileName]
  if (chunk?.type !== 'chunk' || files.has(fileName)) return
  files.add(fileName)
  for (const imported of chunk.imports) addFiles(bundle, imported, files)
}

/**
 * Writes the files of each route, so that the server can name them in the header of the page. Otherwise, the browser
 * would learn of them only after it has loaded and run the entry.
 */
export function pageFiles(root: string): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      function listFiles(isWanted: (module: string) => boolean): Set<string> {
        const files = new Set<string>()
        for (const { facadeModuleId, fileName } of chunks)
          if (facadeModuleId !== null && isWanted(facadeModuleId.replaceAll('\\', '/')))
            addFiles(bundle, fileName, files)
        return files
      }
      const known = listFiles((module) => module.endsWith('/web/index.html'))
      const routes = readFileSync(join(root, 'src/app/routes.ts'), 'utf8')
      const pages: PageFiles[] = []
      for (const [, path = '', layout = '', page = ''] of routes.matchAll(routePattern)) {
        const modules = [`/src/pages/${page}`, `/src/${layoutModules[layout] ?? 'none'}`]
        const needed = listFiles((module) => modules.some((name) => module.endsWith(name)))
        pages.push({ path, files: [...needed].filter((file) => !known.has(file)) })
      }
      this.emitFile({ type: 'asset', fileName: '.vite/page-files.json', source: JSON.stringify(pages) })
    },
  }
}
