import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const resourceFiles = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(?:pfb|ttf)$/,
  // JavaScript decoders for scanned images, because the content security policy forbids WebAssembly.
  wasm: /_nowasm_fallback\.js$/,
}

/** Serves the resources that PDF.js loads on demand from /pdfjs/. */
export function pdfResources(): Plugin {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const files = Object.entries(resourceFiles).flatMap(([folder, pattern]) =>
    readdirSync(join(packageFolder, folder))
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return {
    name: 'pdf-resources',
    generateBundle() {
      for (const file of files)
        this.emitFile({
          type: 'asset',
          fileName: `pdfjs/${file}`,
          source: readFileSync(join(packageFolder, file)),
        })
    },
    configureServer(server) {
      server.middlewares.use('/pdfjs/', (request, response, next) => {
        const file = files.find((name) => request.url === `/${name}`)
        if (!file) return next()
        if (file.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
        response.end(readFileSync(join(packageFolder, file)))
      })
    },
  }
}
