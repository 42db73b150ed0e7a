import { ParseError, render } from 'katex'
import 'katex/dist/katex.min.css'

const maxUnknownCommands = 5

/**
 * A macro could make 190,000 elements of a formula of 2,000 characters, within the limit of expansions. Macros would not
 * outlive their formula, so they are of little use.
 */
const definition = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z])/

/**
 * Renders a formula into an element; throws when it is invalid or defines macros. A formula cannot load anything from
 * the network.
 */
export function renderFormula(tex: string, element: HTMLElement, isDisplay: boolean): void {
  if (definition.test(tex)) throw new ParseError('A formula must not define macros')
  const macros: Record<string, string> = {}
  for (;;) {
    try {
      render(tex, element, {
        displayMode: isDisplay,
        // With `false`, KaTeX reports errors in a style attribute, which the content security policy blocks.
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxExpand: 200,
        maxSize: 10,
        errorColor: 'var(--danger)',
        macros: { ...macros },
      })
      return
    } catch (cause) {
      const unknown = cause instanceof ParseError ? findUnknownCommand(cause) : undefined
      if (!unknown || unknown in macros || Object.keys(macros).length === maxUnknownCommands) throw cause
      // Render the rest of a formula even if KaTeX lacks one of its commands.
      macros[unknown] = `\\text{\\textbackslash ${unknown.slice(1)}}`
    }
  }
}

function findUnknownCommand(error: ParseError): string | undefined {
  return /Undefined control sequence: (\\[A-Za-z]+)/.exec(error.message)?.[1]
}
