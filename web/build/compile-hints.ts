import type { Plugin } from 'vite'

/** Files of which a chat calls most functions. Of others, such as React, a page calls only some. */
const hintedFiles = ['with-chat', 'replies', 'chat', 'channel', 'embedded-chat']

const hint = '//# allFunctionsCalledOnLoad\n'

/**
 * Marks files that V8 should compile as a whole, in another thread while they load. It would otherwise compile each
 * function when it is first called, in the thread of the page. Source: https://v8.dev/blog/explicit-compile-hints
 *
 * A browser that has a file at once compiles it in the thread of the page. So this would delay pages that do not call most
 * of its functions.
 */
export const compileHints: Plugin = {
  name: 'compile-hints',
  apply: 'build',
  generateBundle: {
    // The hint must be the first line.
    order: 'post',
    handler(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      for (const name of hintedFiles) {
        const chunk = chunks.find((output) => output.name === name)
        if (chunk === undefined) throw new Error(`The build has no file ${name}.`)
        chunk.code = hint + chunk.code
      }
    },
  },
}
