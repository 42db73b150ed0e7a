import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const wanted = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(?:pfb|ttf)$/,
  // The decoders of scanned pictures, in the form that the page's policy lets run.
  wasm: /_nowasm_fallback\.js$/,
}

/** What a PDF may need and its viewer asks for on demand, served from /pdfjs/. */
export function pdfResources(): Plugin {
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const files = Object.entries(wanted).flatMap(([folder, names]) =>
    readdirSync(join(home, folder))
      .filter((name) => names.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return {
    name: 'pdf-resources',
    generateBundle() {
      for (const file of files)
        this.emitFile({ type: 'asset', fileName: `pdfjs/${file}`, source: readFileSync(join(home, file)) })
    },
    configureServer(server) {
      server.middlewares.use('/pdfjs/', (request, response, next) => {
        const file = files.find((name) => request.url === `/${name}`)
        if (!file) return next()
        if (file.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
        response.end(readFileSync(join(home, file)))
      })
    },
  }
}
