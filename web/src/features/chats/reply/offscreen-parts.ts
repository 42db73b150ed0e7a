/** A part that has not changed for this long is frozen while it is out of view. */
const freezeAfterMs = 600

interface Part {
  changedAt: number
  isInView: boolean
  /** The width of its last layout. */
  width: number | null
}

const parts = new Map<Element, Part>()
/** Parts that are frozen once they have not changed for `freezeAfterMs`. */
const waiting = new Set<Element>()
let timer: ReturnType<typeof setTimeout> | undefined

function startTimer(): void {
  if (timer === undefined && waiting.size > 0) timer = setTimeout(freezeOffscreen, freezeAfterMs)
}

function freezeOffscreen(): void {
  timer = undefined
  const now = performance.now()
  for (const part of waiting) {
    const { changedAt = 0, isInView = true } = parts.get(part) ?? {}
    if (now - changedAt < freezeAfterMs) continue
    waiting.delete(part)
    // Freezing a part in view could move it. It is queued again when it leaves the view.
    if (!isInView) part.toggleAttribute('data-frozen', true)
  }
  startTimer()
}

function enqueue(element: Element): void {
  waiting.add(element)
  startTimer()
}

/** Call when a part has changed: it is laid out even out of view, until its new height is known. */
export function invalidate(element: Element): void {
  const part = parts.get(element)
  if (part === undefined) return
  part.changedAt = performance.now()
  element.toggleAttribute('data-frozen', false)
  enqueue(element)
}

/** Invalidates the parts around an element that was rendered later. */
export function invalidateAround(element: Element): void {
  for (let around: Element | null = element; around !== null; around = around.parentElement)
    invalidate(around)
}

const visibilityObserver = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const part = parts.get(target)
    if (part === undefined) continue
    part.isInView = isIntersecting
    if (!isIntersecting) enqueue(target)
  }
})

// Lines break differently at another width, so the remembered heights are wrong.
const sizeObserver = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const part = parts.get(target)
    if (part === undefined) continue
    const hasChanged = part.width !== null && part.width !== contentRect.width
    part.width = contentRect.width
    if (hasChanged) invalidate(target)
  }
})

/** Freezes a part whenever it is out of view and unchanged. Returns a function that stops watching it. */
export function watchPart(element: Element): () => void {
  parts.set(element, { changedAt: performance.now(), isInView: true, width: null })
  visibilityObserver.observe(element)
  sizeObserver.observe(element)
  return () => {
    visibilityObserver.unobserve(element)
    sizeObserver.unobserve(element)
    parts.delete(element)
    waiting.delete(element)
  }
}

/**
 * The style of a watched part. A frozen part keeps its last height but is neither laid out nor painted.
 * The padding leaves room for focus outlines and, where the surroundings set `--free`, for wide tables beside the
 * text, which would be clipped at its edge.
 */
export const offscreenPartStyle =
  '-my-1.5 mx-[calc(-0.375rem-var(--free,0px))] px-[calc(0.375rem+var(--free,0px))] py-1.5 [&>[data-table]]:[--bleed:var(--free,0px)] [contain-intrinsic-block-size:auto_12rem] not-print:data-frozen:[content-visibility:auto]'
