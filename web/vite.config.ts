import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { compileHints } from './build/compile-hints.ts'
import { embedScript } from './build/embed-script.ts'
import { iconFiles } from './build/icon-files.ts'
import { pageFiles } from './build/page-files.ts'
import { pdfResources } from './build/pdf-resources.ts'
import { precompress } from './build/precompress.ts'
import { createSharedFiles } from './build/shared-files.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Sets the title and the name that are shown before any script has run. */
function productTitle(name: string): Plugin {
  return {
    name: 'product-title',
    transformIndexHtml: (html) => html.replaceAll('%PRODUCT_NAME%', () => name.replaceAll('<', '&lt;')),
  }
}

/**
 * Moves the stylesheet behind the splash, which is painted before the stylesheet has loaded. Scripts still wait for it.
 */
const paintSplashFirst: Plugin = {
  name: 'paint-splash-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [stylesheet] = /<link rel="stylesheet" crossorigin[^>]*>/.exec(html) ?? []
      if (stylesheet === undefined) throw new Error('The page has no stylesheet to move.')
      return html.replace(stylesheet, '').replace('</body>', () => `  ${stylesheet}\n  </body>`)
    },
  },
}

/** A call of the contract, as the formatter writes it. */
const declaredCall = /^ {2}(\w+): (endpoint\(\{$.*?^ {2}\}\)),$/gms

/**
 * Removes the summaries of API calls from the bundle, which only the API documentation uses. Creates each call when it is
 * first used: the schemas of all calls together would take a slow phone a tenth of a second.
 */
const trimContract: Plugin = {
  name: 'trim-contract',
  enforce: 'pre',
  transform: {
    filter: { id: /contract[\\/]src[\\/]/ },
    handler(code) {
      const trimmed = code.replaceAll(/^\s*summary: '.*',$/gm, '').replaceAll(
        declaredCall,
        (_, name: string, call: string) => `get ${name}() {
            const value = ${call}
            Object.defineProperty(this, '${name}', { value })
            return value
          },`,
      )
      if (/: endpoint\(/.test(trimmed)) throw new Error('A call of the contract is written in another way.')
      return trimmed
    },
  },
}

function disabledConstruct(name: string): string {
  return `export const ${name} = { name: '${name}', tokenize: (_effects, _ok, nok) => nok }`
}

/** Modules of dependencies that the client does not need, with what they are replaced by. */
const replacements = new Map([
  // Replies disable the parsing of HTML (parse-block.ts).
  ['micromark-core-commonmark/lib/html-flow.js', disabledConstruct('htmlFlow')],
  ['micromark-core-commonmark/lib/html-text.js', disabledConstruct('htmlText')],
  // A shim for older browsers.
  ['@ungap/structured-clone/esm/index.js', 'export default globalThis.structuredClone'],
])

const replaceUnneeded: Plugin = {
  name: 'replace-unneeded',
  enforce: 'pre',
  load: {
    filter: { id: /html-(?:flow|text)\.js$|structured-clone/ },
    handler: (id) => {
      const path = id.replaceAll('\\', '/').split('node_modules/').at(-1) ?? ''
      return replacements.get(path)
    },
  },
}

export default defineConfig(({ mode }) => {
  const settings = loadEnv(mode, root, 'VITE_')
  return {
    root,
    plugins: [
      trimContract,
      replaceUnneeded,
      iconFiles(),
      react(),
      tailwindcss(),
      productTitle(settings['VITE_PRODUCT_NAME'] ?? 'Lyceum'),
      paintSplashFirst,
      pdfResources(),
      pageFiles(root),
      compileHints,
      embedScript(root),
      precompress(),
    ],
    // React has had this hook since version 18. Libraries that support older versions bundle a shim.
    resolve: {
      alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' }],
    },
    server: {
      port: 5173,
      proxy: { '/api': { target: `http://127.0.0.1:${process.env['PORT'] ?? '3000'}` } },
    },
    build: {
      manifest: true,
      // The content security policy allows neither 'unsafe-inline' nor data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        input: {
          index: `${root}index.html`,
          'embedded-chat': `${root}embedded-chat.html`,
          embed: `${root}embed.html`,
        },
        output: {
          codeSplitting: {
            groups: [
              // Changes only when a dependency does, so browsers keep it cached across releases.
              {
                name: 'react',
                test: /vite[\\/]preload-helper|node_modules[\\/](?:react|react-dom|scheduler|wouter|regexparam|zod)[\\/]/,
                priority: 20,
              },
              ...createSharedFiles(),
            ],
          },
        },
      },
    },
  }
})
