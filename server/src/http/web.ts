import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { foreignScriptHeaders, framedPageHeaders } from './headers.ts'
import { type FindDocument, readDocuments } from './page-documents.ts'

const hashedAsset = /\/assets\//
/** The embedded chat, which other pages of this origin show in a frame. */
const framedPage = /\/embedded-chat\.html(?:\.br|\.gz)?$/
/** Pages of other sites load this script to show the chat. */
const foreignScript = /\/embed\.js(?:\.br|\.gz)?$/

/**
 * Serves the built, precompressed web client. Hashed assets are cached for a year; pages are revalidated. Returns null if
 * it is not built.
 */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<FindDocument | null> {
  if (!existsSync(join(folder, 'index.html'))) return null
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    wildcard: true,
    index: ['index.html'],
    cacheControl: false,
    setHeaders(response, path) {
      if (framedPage.test(path)) response.headers(framedPageHeaders)
      if (foreignScript.test(path)) response.headers(foreignScriptHeaders)
      response.header(
        'cache-control',
        hashedAsset.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  return readDocuments(folder)
}
