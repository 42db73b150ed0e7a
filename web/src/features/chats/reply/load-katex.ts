export type DrawFormula = (tex: string, element: HTMLElement, isDisplay: boolean) => void

let drawFormula: DrawFormula | null = null
let loading: Promise<DrawFormula | null> | null = null

/** The formula renderer when it has already arrived: a formula is then there with the first paint. */
export const drawFormulaNow = (): DrawFormula | null => drawFormula

/** Fetches the formula renderer once; null when it cannot be had, and the next caller tries again. */
export const loadKatex = (): Promise<DrawFormula | null> => {
  loading ??= import('./katex.ts').then(
    (chunk) => {
      drawFormula = chunk.drawFormula
      return drawFormula
    },
    () => {
      loading = null
      return null
    },
  )
  return loading
}

const formulaFonts = ['1em KaTeX_Main', 'italic 1em KaTeX_Math', '1em KaTeX_Size1', '1em KaTeX_Size2']

/** Formulas change their height when their letters arrive: for a chat that has not been shown yet they are waited for. */
export const loadFormulas = async (): Promise<void> => {
  if ((await loadKatex()) === null) return
  await Promise.allSettled(formulaFonts.map((font) => document.fonts.load(font)))
}
