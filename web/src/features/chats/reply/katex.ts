import { ParseError, render } from 'katex'
import 'katex/dist/katex.min.css'

const maxUnknownCommands = 5

/**
 * Renders a formula into an element; throws when it is invalid. Macros do not outlive their formula, and a formula
 * cannot load anything from the network.
 */
export function renderFormula(tex: string, element: HTMLElement, isDisplay: boolean): void {
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
