import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { precompress } from './build/precompress.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** The tab's first title, before any script has run. */
const productTitle = (name: string): Plugin => ({
  name: 'product-title',
  transformIndexHtml: (html) => html.replace('%PRODUCT_NAME%', () => name.replaceAll('<', '&lt;')),
})

const everyScreen =
  /node_modules[\\/](zod|lucide-react[\\/]dist[\\/]esm(?![\\/]icons))[\\/]|web[\\/]src[\\/](theme|ui[\\/](Logo|ThemeToggle|IconButton|cx))|contract[\\/]src[\\/](auth|wire|permissions|endpoint)/

/** The sentences that describe the calls are for the API's document; the client never shows them. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  enforce: 'pre',
  transform: {
    filter: { id: /contract[\\/]src[\\/]/ },
    handler: (code) => code.replaceAll(/^\s*summary: '.*',$/gm, ''),
  },
}

export default defineConfig(({ mode }) => {
  const settings = loadEnv(mode, root, 'VITE_')
  return {
    root,
    plugins: [
      withoutSummaries,
      react(),
      tailwindcss(),
      productTitle(settings['VITE_PRODUCT_NAME'] ?? 'Lyceum'),
      precompress(),
    ],
    server: {
      port: 5173,
      proxy: { '/api': { target: `http://127.0.0.1:${process.env['PORT'] ?? '3000'}` } },
    },
    build: {
      manifest: true,
      // The page is served under a policy without 'unsafe-inline' and without data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              // What changes with a dependency and not with a release keeps its address between releases.
              { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
              { name: 'query', test: /node_modules[\\/]@tanstack[\\/]/ },
              // What every screen needs, in one file: small ones compress worse and cost a request each.
              { name: 'base', test: everyScreen },
            ],
          },
        },
      },
    },
  }
})
