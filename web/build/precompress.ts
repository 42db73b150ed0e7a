import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|mjs|css|html|svg|wasm|json)$/
/** Smaller files fit into one network packet even uncompressed. */
const minBytes = 512

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < minBytes) return
  const variants = [
    [
      '.br',
      await brotliAsync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
    ],
    ['.gz', await gzipAsync(bytes, { level: 9 })],
  ] as const
  for (const [extension, compressed] of variants) {
    if (compressed.length < bytes.length) await writeFile(path + extension, compressed)
  }
}

/** Writes `name.br` and `name.gz` beside each built file, so that the server never compresses at runtime. */
export function precompress(): Plugin {
  let directory = ''
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      directory = resolve(config.root, config.build.outDir)
    },
    writeBundle: {
      order: 'post',
      handler: async () => {
        const entries = await readdir(directory, { recursive: true, withFileTypes: true })
        const paths = entries
          .filter(
            (entry) => entry.isFile() && compressible.test(entry.name) && !entry.parentPath.includes('.vite'),
          )
          .map((entry) => join(entry.parentPath, entry.name))
        await Promise.all(paths.map(compress))
      },
    },
  }
}
