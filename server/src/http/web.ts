import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const hashed = /\/assets\//

/** The built web client: compressed beforehand, hashed files kept for a year, the page itself asked for anew. */
export const serveWeb = async (app: FastifyInstance, folder: string): Promise<boolean> => {
  if (!existsSync(join(folder, 'index.html'))) return false
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    wildcard: true,
    index: ['index.html'],
    cacheControl: false,
    setHeaders(response, path) {
      response.header('cache-control', hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return true
}
