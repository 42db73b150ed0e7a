import { createContext } from 'react'

const maxFormulaLength = 2_000
const maxFormulas = 100
/** An ordinary formula has about 75 elements, and a hostile one of 2,000 characters has 20,000. */
const maxElementsPerFormula = 5_000
const maxElements = 12_000

/** A formula's part of the budget. */
interface FormulaShare {
  /** Counts the elements of the rendered formula. Returns false if they are too many to be shown. */
  spend: (elements: number) => boolean
  release: () => void
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
      spend: (elements) => {
        spent += elements
        this.#elements += elements
        return elements <= maxElementsPerFormula && this.#elements <= maxElements
      },
      release: () => {
        this.#formulas -= 1
        this.#elements -= spent
      },
    }
  }
}

export const FormulaBudgetContext = createContext(new FormulaBudget())
