import { type RefObject, useRef } from 'react'

/** The padding above and below the list, in pixels: `py-6`. */
const listPaddingPx = 24

/** Fits the height so that, at the end of the scroller, the last question is at the top of the view. */
function setHeight(view: HTMLElement, list: HTMLElement, space: HTMLElement): void {
  const question = [...list.querySelectorAll(':scope > [data-question]')].at(-1)
  if (question === undefined) return
  const turnPx = list.getBoundingClientRect().bottom - question.getBoundingClientRect().top
  const height = `${Math.max(0, Math.floor(view.clientHeight - 2 * listPaddingPx - turnPx))}px`
  if (space.style.height !== height) space.style.height = height
}

/**
 * The space below the messages that the answer to a new question grows into. It lets the question be at the top of the
 * view while the view is at its end, so that it follows a longer answer as usual.
 */
export function useAnswerSpace(scroller: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>) {
  const space = useRef<HTMLDivElement>(null)
  const isOpen = useRef(false)
  return {
    space,
    openSpace: (): void => {
      isOpen.current = true
    },
    /** Call before scrolling to the end. Does nothing until the space was opened. */
    fitSpace: (): void => {
      if (isOpen.current && scroller.current && list.current && space.current)
        setHeight(scroller.current, list.current, space.current)
    },
  }
}
