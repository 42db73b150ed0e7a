import { createContext } from 'react'

const maxFormulaLength = 2_000
const maxFormulas = 100
/** An ordinary formula has about 75 elements, and a hostile one of 2,000 characters has 20,000. */
const maxElementsPerFormula = 5_000
const maxElements = 12_000
/**
 * The browser lays out nested elements recursively: at about 900 levels Chromium's stack overflows and the tab crashes.
 * A fraction has about seven levels, and so has an exponent.
 */
const maxDepth = 200

/** A formula's part of the budget. */
interface FormulaShare {
  /** Counts the elements of the rendered formula. Returns false if they are too many or too deeply nested to be shown. */
  spend: (formula: Element) => boolean
  release: () => void
}

/** Goes through the elements level by level, because a recursive function could overflow the stack. */
function measureElements(root: Element): { elements: number; depth: number } {
  let [elements, depth] = [0, 0]
  for (
    let level = [...root.children];
    level.length > 0;
    level = level.flatMap((each) => [...each.children])
  ) {
    elements += level.length
    depth += 1
  }
  return { elements, depth }
}

/** Limits the formulas rendered per message. Further ones show their source. */
export class FormulaBudget {
  #formulas = 0
  #elements = 0

  take(tex: string): FormulaShare | null {
    const isSpent = this.#formulas >= maxFormulas || this.#elements >= maxElements
    if (isSpent || tex.length > maxFormulaLength) return null
    this.#formulas += 1
    let spent = 0
    return {
      spend: (formula) => {
        const { elements, depth } = measureElements(formula)
        spent += elements
        this.#elements += elements
        return elements <= maxElementsPerFormula && this.#elements <= maxElements && depth <= maxDepth
      },
      release: () => {
        this.#formulas -= 1
        this.#elements -= spent
      },
    }
  }
}

export const FormulaBudgetContext = createContext(new FormulaBudget())
