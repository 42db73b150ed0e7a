import mainFont from 'katex/dist/fonts/KaTeX_Main-Regular.woff2?url'
import mathsFont from 'katex/dist/fonts/KaTeX_Math-Italic.woff2?url'
import firstSizeFont from 'katex/dist/fonts/KaTeX_Size1-Regular.woff2?url'
import secondSizeFont from 'katex/dist/fonts/KaTeX_Size2-Regular.woff2?url'

export type DrawFormula = (tex: string, element: HTMLElement, isDisplay: boolean) => void

let drawFormula: DrawFormula | null = null
let loading: Promise<DrawFormula | null> | null = null

/** The formula renderer when it has already arrived: a formula is then there with the first paint. */
export function drawFormulaNow(): DrawFormula | null {
  return drawFormula
}

/** Fetches the formula renderer once; null when it cannot be had, and the next caller tries again. */
export function loadKatex(): Promise<DrawFormula | null> {
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
const patienceMs = 1500

/** The style sheet that names the fonts comes with the renderer: they are fetched beside it, not after it. */
function fetchFonts(): void {
  for (const href of [mainFont, mathsFont, firstSizeFont, secondSizeFont]) {
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'font', href })
    link.type = 'font/woff2'
    link.crossOrigin = 'anonymous'
    document.head.append(link)
  }
}

async function loadWithFonts(): Promise<void> {
  if (loading === null) fetchFonts()
  if ((await loadKatex()) === null) return
  await Promise.allSettled(formulaFonts.map((font) => document.fonts.load(font)))
}

let settled: Promise<void> = Promise.resolve()

/**
 * Formulas change their height when their letters arrive: for a chat that has not been shown yet they are waited for,
 * though not for ever.
 */
export function loadFormulas(): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patienceMs))
  settled = Promise.race([loadWithFonts(), patience])
  return settled
}

/** Settles when no formula that was asked for can be expected to change its height any more. */
export function formulasSettled(): Promise<void> {
  return settled
}
