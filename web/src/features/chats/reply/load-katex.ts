import mainFont from 'katex/dist/fonts/KaTeX_Main-Regular.woff2?url'
import mathsFont from 'katex/dist/fonts/KaTeX_Math-Italic.woff2?url'
import firstSizeFont from 'katex/dist/fonts/KaTeX_Size1-Regular.woff2?url'
import secondSizeFont from 'katex/dist/fonts/KaTeX_Size2-Regular.woff2?url'

export type RenderFormula = (tex: string, element: HTMLElement, isDisplay: boolean) => void

let renderFormula: RenderFormula | null = null
let loading: Promise<RenderFormula | null> | null = null

/** Returns the formula renderer if it is already loaded, so that formulas are part of the first paint. */
export function getLoadedRenderer(): RenderFormula | null {
  return renderFormula
}

/** Loads the formula renderer once. Null when loading failed; the next call tries again. */
export function loadKatex(): Promise<RenderFormula | null> {
  loading ??= import('./katex.ts').then(
    (chunk) => {
      renderFormula = chunk.renderFormula
      return renderFormula
    },
    () => {
      loading = null
      return null
    },
  )
  return loading
}

const formulaFonts = ['1em KaTeX_Main', 'italic 1em KaTeX_Math', '1em KaTeX_Size1', '1em KaTeX_Size2']
const timeoutMs = 1500

/** Preloads the fonts in parallel with the renderer, whose style sheet names them. */
function preloadFonts(): void {
  for (const href of [mainFont, mathsFont, firstSizeFont, secondSizeFont]) {
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'font', href })
    link.type = 'font/woff2'
    link.crossOrigin = 'anonymous'
    document.head.append(link)
  }
}

async function loadWithFonts(): Promise<void> {
  if (loading === null) preloadFonts()
  if ((await loadKatex()) === null) return
  await Promise.allSettled(formulaFonts.map((font) => document.fonts.load(font)))
}

let lastLoad: Promise<void> = Promise.resolve()

/**
 * Loads the renderer and its fonts, with a time limit. A chat waits for it before it is first shown, because formulas
 * change their height when the fonts arrive.
 */
export function loadFormulas(): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs))
  lastLoad = Promise.race([loadWithFonts(), timeout])
  return lastLoad
}

/** Resolves when the requested formulas no longer change their height. */
export function waitForFormulas(): Promise<void> {
  return lastLoad
}
