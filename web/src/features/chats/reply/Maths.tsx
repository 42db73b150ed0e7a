import { memo, use, useEffect, useLayoutEffect, useRef } from 'react'
import { FormulaBudgetContext } from './formula-budget.ts'
import { getLoadedRenderer, loadKatex, type RenderFormula } from './load-katex.ts'
import { invalidateAround } from './offscreen-parts.ts'

interface MathsProps {
  tex: string
  isDisplay: boolean
}

/** A formula, rendered directly into its element. Shows the source if it cannot be rendered. */
export const Maths = memo(({ tex, isDisplay }: MathsProps) => {
  const container = useRef<HTMLSpanElement>(null)
  const budget = use(FormulaBudgetContext)

  useLayoutEffect(() => {
    const element = container.current
    if (!element) return
    const share = budget.take(tex)
    if (share === null) {
      showSource(element, tex)
      return
    }
    let isCancelled = false
    function show(render: RenderFormula | null): void {
      const formula = render && renderFormula(render, tex, isDisplay)
      if (element && formula && share?.spend(formula)) element.replaceChildren(...formula.childNodes)
      else if (element) showSource(element, tex)
    }
    const render = getLoadedRenderer()
    if (render) show(render)
    else
      void loadKatex().then((loaded) => {
        if (isCancelled) return
        show(loaded)
        invalidateAround(element)
      })
    return () => {
      isCancelled = true
      share.release()
    }
  }, [tex, isDisplay, budget])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another formula has another width
  useEffect(() => {
    const element = container.current
    if (!element || !isDisplay) return
    widthObserver.observe(element)
    return () => widthObserver.unobserve(element)
  }, [isDisplay, tex])

  return isDisplay ? (
    <span
      ref={container}
      dir="ltr"
      translate="no"
      className="block min-h-[1lh] overflow-x-auto overflow-y-hidden py-1 [&_.katex-display]:my-1!"
    />
  ) : (
    <span ref={container} dir="ltr" translate="no" />
  )
})

/** Renders a formula outside the page, so that one with too many or too deeply nested elements is never laid out. */
function renderFormula(render: RenderFormula, tex: string, isDisplay: boolean): HTMLElement | null {
  const formula = document.createElement('span')
  try {
    render(tex, formula, isDisplay)
    return formula
  } catch {
    // Invalid, or nested so deeply that the stack overflowed.
    return null
  }
}

/** Makes a formula focusable if it is too wide, so that it can be scrolled with the keyboard. */
function updateScrollability(element: HTMLElement) {
  if (element.scrollWidth > element.clientWidth) {
    element.tabIndex = 0
    element.setAttribute('role', 'group')
    element.setAttribute('aria-label', 'Formula')
  } else for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name)
}

// Widths are read after the browser's own layout: reading them while rendering would force a layout each time.
const widthObserver = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement) updateScrollability(target)
})

function showSource(element: HTMLElement, tex: string) {
  const code = document.createElement('code')
  code.className = 'font-mono text-[0.875em] whitespace-pre-wrap break-words'
  code.textContent = tex
  element.replaceChildren(code)
}
