import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const routes = z.array(z.object({ path: z.string(), file: z.string() }))

/** Finds the document of the web client for a path: that of the page, which names its scripts, or the one for any path. */
export type FindDocument = (path: string) => string

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`)
}

/** Reads the list that the build of the web client has written (web/build/page-files.ts). */
export async function readDocuments(folder: string): Promise<FindDocument> {
  const text = await readFile(join(folder, '.vite', 'pages.json'), 'utf8').catch(() => '[]')
  const pages = routes.parse(JSON.parse(text)).map(({ path, file }) => ({ pattern: toPattern(path), file }))
  return (path) => pages.find(({ pattern }) => pattern.test(path))?.file ?? 'index.html'
}
