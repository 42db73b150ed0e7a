import type { Plugin } from 'vite'

/**
 * The router's links and forms are written so that no bundler can leave them out. The client has a link of its own
 * (ui/Link.tsx): server rendering, prefetching and form submission need not be fetched by anybody.
 */
export const withoutRouterForms: Plugin = {
  name: 'without-router-forms',
  transform: {
    filter: {
      id: /react-router[\\/]dist[\\/]production[\\/]lib[\\/](?:context|dom[\\/](?:lib|ssr[\\/]components))\.js$/,
    },
    handler: (code) =>
      code
        .replaceAll(/^\w+\.displayName = .*;$/gm, '')
        .replaceAll(/= (React\$?\d*\.(?:forwardRef|createContext)\()/g, '= /* @__PURE__ */ $1'),
  },
}

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
