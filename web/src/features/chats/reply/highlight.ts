import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { CodeToken } from './code-token.ts'

const languages = { bash, cpp, css, go, java, javascript, json, python, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)
highlighter.registerAliases(['shell', 'console'], { languageName: 'bash' })
highlighter.registerAliases(['c', 'h'], { languageName: 'cpp' })
highlighter.registerAliases(['jsonc'], { languageName: 'json' })

const maxTokens = 3_000
const maxDepth = 50

/** Counts tokens with a color. Infinite if they are nested too deeply to be rendered. */
function countTokens(tokens: readonly CodeToken[], depth = 0): number {
  if (depth > maxDepth) return Number.POSITIVE_INFINITY
  return tokens.reduce<number>(
    (sum, token) => (typeof token === 'string' ? sum : sum + 1 + countTokens(token.children, depth + 1)),
    0,
  )
}

/** Code as a tree of tokens, or null for an unknown language or too many tokens. */
export function highlightCode(code: string, language: string): CodeToken[] | null {
  if (!highlighter.getLanguage(language)) return null
  const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true })
  // We render elements from this tree instead of its HTML, so that no markup is ever parsed.
  const { children } = (_emitter as unknown as { rootNode: { children: CodeToken[] } }).rootNode
  return countTokens(children) > maxTokens ? null : children
}
