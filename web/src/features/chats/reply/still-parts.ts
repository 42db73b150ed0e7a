/** Once a part has not changed for so long, the browser need not look at it while it is out of view. */
const stillAfterMs = 600

interface Part {
  movedAt: number
  isSeen: boolean
  /** In which width it was laid out last. */
  width: number | null
}

const parts = new Map<Element, Part>()
/** Those that are to be still as soon as they have not moved for long enough. */
const settling = new Set<Element>()
let timer: ReturnType<typeof setTimeout> | undefined

function wait(): void {
  if (timer === undefined && settling.size > 0) timer = setTimeout(settle, stillAfterMs)
}

function settle(): void {
  timer = undefined
  const now = performance.now()
  for (const part of settling) {
    const { movedAt = 0, isSeen = true } = parts.get(part) ?? {}
    if (now - movedAt < stillAfterMs) continue
    settling.delete(part)
    // In front of the reader it stays as it is; once it is out of view, its turn comes again.
    if (!isSeen) part.toggleAttribute('data-still', true)
  }
  wait()
}

function rest(element: Element): void {
  settling.add(element)
  wait()
}

/** A part has been drawn anew: it is laid out wherever it stands, until its height is known again. */
export function stir(element: Element): void {
  const part = parts.get(element)
  if (part === undefined) return
  part.movedAt = performance.now()
  element.toggleAttribute('data-still', false)
  rest(element)
}

/** The same for what is drawn later into a part. */
export function stirAround(element: Element): void {
  for (let around: Element | null = element; around !== null; around = around.parentElement) stir(around)
}

const views = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const part = parts.get(target)
    if (part === undefined) continue
    part.isSeen = isIntersecting
    if (!isIntersecting) rest(target)
  }
})

// Lines break elsewhere in another width: what was known of the heights is wrong then.
const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const part = parts.get(target)
    if (part === undefined) continue
    const isOther = part.width !== null && part.width !== contentRect.width
    part.width = contentRect.width
    if (isOther) stir(target)
  }
})

/** Looks after a part for as long as it is shown: see `stillPart`. */
export function watchPart(element: Element): () => void {
  parts.set(element, { movedAt: performance.now(), isSeen: true, width: null })
  views.observe(element)
  sizes.observe(element)
  return () => {
    views.unobserve(element)
    sizes.unobserve(element)
    parts.delete(element)
    settling.delete(element)
  }
}

/**
 * The look of such a part. Still and out of view, it is neither laid out nor painted, and takes the height it had:
 * nothing moves. The room around it is for outlines, which would be cut off at its edge.
 */
export const stillPart =
  '-m-1.5 p-1.5 [contain-intrinsic-block-size:auto_12rem] not-print:data-still:[content-visibility:auto]'
