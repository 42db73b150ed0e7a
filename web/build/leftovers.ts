import type { Plugin } from 'vite'

/**
 * The parser's constructs for raw HTML. They are switched off in replies (reply/parse-block.ts), where a tag is text
 * like any other, and what is switched off is fetched all the same.
 */
export const withoutHtmlConstructs: Plugin = {
  name: 'without-html-constructs',
  load: {
    filter: { id: /micromark-core-commonmark[\\/]lib[\\/]html-(?:flow|text)\.js$/ },
    handler: (id) => {
      const name = id.endsWith('html-flow.js') ? 'htmlFlow' : 'htmlText'
      return `export const ${name} = { name: '${name}', tokenize: (effects, ok, nok) => nok }`
    },
  },
}

const cloning = '@ungap/structured-clone'

/** What every browser we serve has by itself; the parser of replies brings one along for those that had not. */
export const withNativeClone: Plugin = {
  name: 'with-native-clone',
  enforce: 'pre',
  resolveId: { filter: { id: /^@ungap\/structured-clone$/ }, handler: () => `\0${cloning}` },
  load: {
    filter: { id: /^\0@ungap\/structured-clone$/ },
    handler: () => 'export default structuredClone',
  },
}
