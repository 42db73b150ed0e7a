import { memo, use, useLayoutEffect, useRef } from 'react'
import { FormulaBudgetContext } from './formula-budget.ts'
import { type DrawFormula, drawFormulaNow, loadKatex } from './load-katex.ts'

interface MathsProps {
  tex: string
  isDisplay: boolean
}

/** A formula, drawn straight into its own element; its source stands there when it cannot be drawn. */
export const Maths = memo(({ tex, isDisplay }: MathsProps) => {
  const place = useRef<HTMLSpanElement>(null)
  const budget = use(FormulaBudgetContext)

  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    if (!budget.take(tex)) {
      showSource(element, tex)
      return
    }
    let isGone = false
    const draw = drawFormulaNow()
    if (draw) drawSafely(draw, tex, element, isDisplay)
    else
      void loadKatex().then((loaded) => {
        if (isGone) return
        if (loaded) drawSafely(loaded, tex, element, isDisplay)
        else showSource(element, tex)
      })
    return () => {
      isGone = true
      budget.giveBack()
    }
  }, [tex, isDisplay, budget])

  return isDisplay ? (
    <span
      ref={place}
      dir="ltr"
      className="block min-h-[1lh] overflow-x-auto overflow-y-hidden py-1 [&_.katex-display]:my-1!"
    />
  ) : (
    <span ref={place} dir="ltr" />
  )
})

const drawSafely = (draw: DrawFormula, tex: string, element: HTMLElement, isDisplay: boolean) => {
  try {
    draw(tex, element, isDisplay)
  } catch {
    // It is wrong, or thousands of nested braces have overflowed the stack.
    showSource(element, tex)
  }
  if (element.scrollWidth > element.clientWidth && isDisplay) makeScrollable(element)
}

const makeScrollable = (element: HTMLElement) => {
  element.tabIndex = 0
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', 'Formula')
}

const showSource = (element: HTMLElement, tex: string) => {
  const code = document.createElement('code')
  code.className = 'font-mono text-[0.875em] whitespace-pre-wrap break-words'
  code.textContent = tex
  element.replaceChildren(code)
}
