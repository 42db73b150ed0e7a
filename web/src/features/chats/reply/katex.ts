import katex from 'katex'
import 'katex/dist/katex.min.css'

/** Draws a formula into an element. Macros never outlive their formula, and nothing in it may reach the network. */
export const drawFormula = (tex: string, element: HTMLElement, isDisplay: boolean): void => {
  katex.render(tex, element, {
    displayMode: isDisplay,
    throwOnError: false,
    trust: false,
    strict: 'ignore',
    maxExpand: 200,
    maxSize: 10,
    macros: {},
  })
}
