import { ParseError, render } from 'katex'
import 'katex/dist/katex.min.css'

const mostUnknown = 5

/**
 * Draws a formula into an element, or throws when it cannot be read. Macros never outlive their formula, and nothing
 * in it may reach the network.
 */
export function drawFormula(tex: string, element: HTMLElement, isDisplay: boolean): void {
  const macros: Record<string, string> = {}
  for (;;) {
    try {
      render(tex, element, {
        displayMode: isDisplay,
        // With false KaTeX reports an error through a style attribute, which the page's policy refuses.
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
      const unknown = cause instanceof ParseError ? unknownCommand(cause) : undefined
      if (!unknown || unknown in macros || Object.keys(macros).length === mostUnknown) throw cause
      // One command that KaTeX lacks should not cost the reader the rest of the formula.
      macros[unknown] = `\\text{\\textbackslash ${unknown.slice(1)}}`
    }
  }
}

function unknownCommand(error: ParseError): string | undefined {
  return /Undefined control sequence: (\\[A-Za-z]+)/.exec(error.message)?.[1]
}
