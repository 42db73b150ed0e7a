import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { whenIdle } from '#lib/when-idle.ts'
import { formulasSettled } from '../reply/load-katex.ts'
import { rowsToFill } from './first-rows.ts'

/** So many are drawn when there is time, whatever the view needs. */
const comfortable = 30
/** As many at a time as are drawn without a scroll that stumbles. */
const windowStep = 4
/** Of a long chat, what is far out of sight is taken down again. */
const mostDrawn = 120
/** Nearer to the top than this, the messages above are fetched. */
const topEdgePx = 1200
/** Within this distance of the end the view follows what is added. */
const nearEndPx = 100
const growWithinMs = 400
/** How many are drawn on either side of a message that is looked for. */
const aroundSought = 30
const markedMs = 2500

interface Placed {
  _id: string
  content: string
}

interface Older {
  exists: boolean
  isLoading: boolean
  load: () => void
}

export interface MessageWindow {
  scroller: RefObject<HTMLDivElement | null>
  list: RefObject<HTMLOListElement | null>
  /** The place of the first message that is drawn, and the one behind the last. */
  start: number
  end: number
  /** The reader is further up than the view follows. */
  isAway: boolean
  handleScroll: () => void
  showEarlier: () => void
  /** Follows the end from now on. */
  goToEnd: () => void
  /** Brings a message into view, marks it for a moment and puts the focus on it. */
  reveal: (id: string) => void
  /** Another message comes into the place of one that is shown: it stays where that one is on the screen. */
  holdPlace: (fromId: string, toId: string) => void
}

interface Held {
  element: Element
  edge: 'top' | 'bottom'
  at: number
  /** Whether it stays in its place even where the view would follow the end. */
  isFirm: boolean
}

function edgeOf({ element, edge }: Pick<Held, 'element' | 'edge'>): number {
  return element.getBoundingClientRect()[edge]
}

function hold(element: Element, edge: Held['edge'], isFirm: boolean): Held {
  return {
    element,
    edge,
    at: edgeOf({ element, edge }),
    isFirm,
  }
}

function rowOf(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`:scope > [data-id="${CSS.escape(id)}"]`) ?? null
}

function bringIntoView(row: HTMLElement): void {
  row.tabIndex = -1
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'center' })
  row.toggleAttribute('data-found', true)
  setTimeout(() => row.removeAttribute('data-found'), markedMs)
}

/**
 * Which messages are drawn, and where the reader is: the last ones first, more above when the reader comes near the
 * top, what is read staying where it is; at the end the view follows whatever grows.
 */
export function useMessageWindow(messages: readonly Placed[], older: Older): MessageWindow {
  const ids = useMemo(() => messages.map(({ _id }) => _id), [messages])
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const isNearEnd = useRef(true)
  const lastTop = useRef(0)
  const kept = useRef<Held | null>(null)
  const [isAway, setIsAway] = useState(false)
  const [firstId, setFirstId] = useState(
    () => ids.at(-Math.max(1, rowsToFill(messages, innerHeight))) ?? ids[0],
  )

  const place = firstId === undefined ? 0 : ids.indexOf(firstId)
  const start = place === -1 ? Math.max(0, ids.length - comfortable) : place
  // Null while the end is drawn, as it is unless a message far above has been looked for.
  const [endId, setEndId] = useState<string | null>(null)
  const endPlace = endId === null ? -1 : ids.indexOf(endId)
  const end = endPlace === -1 ? ids.length : endPlace + 1
  const sought = useRef<string | null>(null)

  function showEarlier(): void {
    const first = list.current?.firstElementChild
    if (start > 0) {
      if (first) kept.current = hold(first, 'top', false)
      const next = Math.max(0, start - windowStep)
      setFirstId(ids[next])
      if (!isNearEnd.current && end - next > mostDrawn) setEndId(ids[next + mostDrawn - 1] ?? null)
    } else if (older.exists && !older.isLoading) older.load()
  }

  function showLater(): void {
    const last = ids[end - 1]
    if (end === ids.length || last === undefined) return
    const next = Math.min(ids.length, end + windowStep)
    setEndId(next === ids.length ? null : (ids[next - 1] ?? null))
    const row = rowOf(list.current, last)
    if (next - start <= mostDrawn || row === null) return
    kept.current = hold(row, 'bottom', false)
    setFirstId(ids[next - mostDrawn])
  }

  function follow(): void {
    if (isNearEnd.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }

  function handleScroll(): void {
    const view = scroller.current
    if (!view) return
    const below = view.scrollHeight - view.scrollTop - view.clientHeight
    const isNear = end === ids.length && below <= nearEndPx
    // What was added since the view last followed is no reason to stay behind: only going up is.
    isNearEnd.current = isNear || (isNearEnd.current && view.scrollTop >= lastTop.current)
    lastTop.current = view.scrollTop
    setIsAway(!isNearEnd.current)
    if (view.scrollTop < topEdgePx) showEarlier()
    if (below < topEdgePx) showLater()
  }

  function goToEnd(): void {
    isNearEnd.current = true
    setIsAway(false)
    // What is not drawn yet comes as there is time, not before what has just been sent.
    if (end !== ids.length || ids.length - start > 2 * comfortable) setFirstId(ids.at(-comfortable) ?? ids[0])
    setEndId(null)
    follow()
  }

  function reveal(id: string): void {
    const target = ids.indexOf(id)
    if (target === -1) return
    isNearEnd.current = false
    const first = ids[Math.max(0, target - aroundSought)]
    const last = ids[target + aroundSought] ?? null
    const row = rowOf(list.current, id)
    if (row !== null) {
      bringIntoView(row)
      return
    }
    sought.current = id
    setFirstId(first)
    setEndId(last)
  }

  const holdPlace = useCallback((fromId: string, toId: string): void => {
    const element = [...(list.current?.children ?? [])].find((row) => row.getAttribute('data-id') === fromId)
    if (!element || !scroller.current) return
    // Of a message that begins above the view, its end is what the reader has before them.
    const isTopSeen = element.getBoundingClientRect().top >= scroller.current.getBoundingClientRect().top
    kept.current = hold(element, isTopSeen ? 'top' : 'bottom', true)
    setFirstId((first) => (first === fromId ? toId : first))
  }, [])

  const lastId = ids.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks after every change of what is drawn
  useLayoutEffect(() => {
    const held = kept.current
    kept.current = null
    const view = scroller.current
    if (!view) return
    const row = sought.current === null ? null : rowOf(list.current, sought.current)
    if (row !== null) {
      sought.current = null
      bringIntoView(row)
      lastTop.current = view.scrollTop
      setIsAway(view.scrollHeight - view.scrollTop - view.clientHeight > nearEndPx)
      return
    }
    if (held?.element.isConnected && (held.isFirm || !isNearEnd.current)) {
      view.scrollTop += edgeOf(held) - held.at
      if (!held.isFirm) return
      // The view is where the reader wants it; only at the very end does it follow.
      const below = view.scrollHeight - view.scrollTop - view.clientHeight
      isNearEnd.current = below <= 1
      lastTop.current = view.scrollTop
      setIsAway(below > nearEndPx)
    } else if (isNearEnd.current) view.scrollTop = view.scrollHeight
  }, [start, end, ids.length, lastId])

  const handleSize = useEffectEvent(follow)
  useEffect(() => {
    // Anything that changes its height, however late: formulas, a phone's keyboard, a reply that grows.
    const sizes = new ResizeObserver(() => handleSize())
    if (scroller.current) sizes.observe(scroller.current)
    if (list.current) sizes.observe(list.current)
    return () => sizes.disconnect()
  }, [])

  const growIfNeeded = useEffectEvent(() => {
    const view = scroller.current
    // Without a height there is no view, and no telling what fits.
    if (!view || view.clientHeight === 0) return
    const hasRoom = start > 0 ? ids.length - start < comfortable : view.scrollHeight <= view.clientHeight
    if (hasRoom || (start > 0 && view.scrollTop < topEdgePx)) showEarlier()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again after every change of what is drawn
  useEffect(() => {
    let isGone = false
    let giveUp: () => void = () => undefined
    void formulasSettled().then(() => {
      if (!isGone) giveUp = whenIdle(() => growIfNeeded(), growWithinMs)
    })
    return () => {
      isGone = true
      giveUp()
    }
  }, [start, ids.length])

  return { scroller, list, start, end, isAway, handleScroll, showEarlier, goToEnd, reveal, holdPlace }
}
