import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/** Bundles the script for the pages of other sites. It is a classic script, because it has to find its own element. */
async function bundle(root: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    publicDir: false,
    build: {
      write: false,
      rolldownOptions: { input: join(root, 'src/embed-script.ts'), output: { format: 'iife' } },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const [chunk] = outputs.filter((output) => output.type === 'chunk')
  if (chunk === undefined) throw new Error('The script for other sites was not built.')
  return chunk.code
}

/** Serves /embed.js, whose name has no hash because other sites refer to it, and the frame that it opens. */
export function embedScript(root: string): Plugin {
  return {
    name: 'embed-script',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'embed.js', source: await bundle(root) })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (/^\/embed\/[^/]+\/?(?:\?|$)/.test(request.url ?? '')) request.url = '/embed.html'
        if (request.url?.split('?')[0] !== '/embed.js') return next()
        bundle(root).then((code) => {
          response.setHeader('content-type', 'text/javascript')
          response.end(code)
        }, next)
      })
    },
  }
}
