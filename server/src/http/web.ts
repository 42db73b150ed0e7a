import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { framedPageHeaders } from './headers.ts'

const hashed = /\/assets\//
/** The small chat that other pages of this origin put into a frame. */
const framed = /\/embedded-chat\.html(?:\.br|\.gz)?$/
const framedHeaders = Object.entries(framedPageHeaders)

/** The built web client: compressed beforehand, hashed files kept for a year, the page itself asked for anew. */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<boolean> {
  if (!existsSync(join(folder, 'index.html'))) return false
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    wildcard: true,
    index: ['index.html'],
    cacheControl: false,
    setHeaders(response, path) {
      if (framed.test(path)) for (const [name, value] of framedHeaders) response.header(name, value)
      response.header('cache-control', hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return true
}
