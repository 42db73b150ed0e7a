import { createContext } from 'react'

const maxFormulaLength = 2_000
const maxFormulas = 100

/** Limits the number of formulas rendered per message. Further ones show their source. */
export class FormulaBudget {
  #taken = 0

  take(tex: string): boolean {
    if (tex.length > maxFormulaLength || this.#taken >= maxFormulas) return false
    this.#taken += 1
    return true
  }

  release(): void {
    this.#taken -= 1
  }
}

export const FormulaBudgetContext = createContext(new FormulaBudget())
