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

const store = 'use-sync-external-store/shim'

/** React has it since version 18; libraries that go with older ones too bring a copy along. */
export const withNativeStore: Plugin = {
  name: 'with-native-store',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^use-sync-external-store\/shim(?:\/index\.js)?$/ },
    handler: () => `\0${store}`,
  },
  load: {
    filter: { id: /^\0use-sync-external-store\/shim$/ },
    handler: () => `export { useSyncExternalStore } from 'react'`,
  },
}

/** What is left out of a file of somebody else's: a pattern, and how often it must be there. */
type Cut = readonly [pattern: RegExp, times: number, instead?: string]

/** An update of the library that moved what is cut stops the build, so that a cut is either made whole or not at all. */
function without(code: string, library: string, cuts: readonly Cut[]): string {
  return cuts.reduce((rest, [pattern, times, instead = '']) => {
    const found = rest.match(pattern)?.length ?? 0
    if (found !== times)
      throw new Error(`build/leftovers.ts: ${library} has ${pattern} ${found} times, not ${times}`)
    return rest.replace(pattern, instead)
  }, code)
}

/**
 * KaTeX's second way out, HTML as text, and the help of its command line. Formulas are made as elements (reply/katex.ts).
 */
export const withoutMarkup: Plugin = {
  name: 'without-markup',
  transform: {
    filter: { id: /katex[\\/]dist[\\/]katex\.mjs$/ },
    handler: (code) =>
      without(code, 'katex', [
        [/^ {2}toMarkup\(\) \{\n[\s\S]*?\n {2}\}\n/gm, 11],
        [/^ {4}(?:description|cli|cliDescription): .*$/gm, 25],
      ]),
  },
}

/**
 * React's flags for pages that a server has rendered: never raised here, where the root element begins empty and no root
 * waits to be taken over.
 */
export const withoutHydration: Plugin = {
  name: 'without-hydration',
  transform: {
    filter: { id: /react-dom-client\.production\.js$/ },
    handler: (code) =>
      without(code, 'react-dom', [
        [/^exports\.hydrateRoot = function[\s\S]*?\n\};\n/gm, 1],
        [/^ {2}isHydrating = !1,$/gm, 1],
        [/\bisHydrating = (!0|!1)/g, 6, '$1'],
        [/(?:\b[\w$.]+\.memoizedState|\bprevState)\.isDehydrated/g, 7, '!1'],
        [/^"use strict";$/gm, 1, '"use strict";\nconst isHydrating = !1;'],
      ]),
  },
}

/** What react-dom has for pages that fetch their files through it, and for forms with actions: nothing here asks for it. */
export const withoutPreloading: Plugin = {
  name: 'without-preloading',
  transform: {
    filter: { id: /react-dom\.production\.js$/ },
    handler: (code) =>
      without(code, 'react-dom', [
        [
          /^exports\.(?:pre\w+|requestFormReset|unstable_batchedUpdates|useFormStat\w+) = function[\s\S]*?\n\};\n/gm,
          10,
        ],
      ]),
  },
}
