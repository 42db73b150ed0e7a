import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const pageFiles = z.array(z.object({ path: z.string(), files: z.array(z.string()) }))

/** The value of the Link header for a page, which lets the browser load its scripts together with the entry. */
export type FindPreloads = (path: string) => string | undefined

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`)
}

/** What the first paint needs and what sends early requests, named first so that no other file delays them. */
const firstFiles = [
  '</theme.js>; rel=preload; as=script',
  '</splash.css>; rel=preload; as=style',
  '</early-work.js>; rel=preload; as=script',
]

/** Reads the list that the build of the web client has written (web/build/page-files.ts). */
export async function readPreloads(folder: string): Promise<FindPreloads> {
  const text = await readFile(join(folder, '.vite', 'page-files.json'), 'utf8').catch(() => '[]')
  const pages = pageFiles.parse(JSON.parse(text)).map(({ path, files }) => ({
    pattern: toPattern(path),
    link: [...firstFiles, ...files.map((file) => `</${file}>; rel=modulepreload; crossorigin`)].join(', '),
  }))
  return (path) => pages.find(({ pattern }) => pattern.test(path))?.link
}
