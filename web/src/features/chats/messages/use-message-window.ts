import type { ChatMessage } from '@lyceum/contract/chats'
import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { whenIdle } from '#lib/when-idle.ts'
import { whenInUse } from '#lib/when-in-use.ts'
import { loadFormulasFor } from '../queries.ts'
import { countRowsToFill } from './rows-to-fill.ts'
import { useAnswerSpace } from './use-answer-space.ts'

/** Rows rendered once the page is in use, even if fewer fill the view. */
const idleRowCount = 30
/** Rows added at a time: few enough to keep scrolling smooth. */
const rowsPerStep = 4
/** If more rows than this are rendered, those far outside the viewport are unmounted. */
const maxRenderedRows = 120
/** Within this distance of the top, older messages are loaded. */
const topEdgePx = 1200
/** Within this distance of the end, the view follows new content. */
const nearEndPx = 100
const idleTimeoutMs = 400
/** Rows rendered above and below the target of a jump. */
const rowsAroundTarget = 30
const highlightMs = 2500

/**
 * The browser keeps what is being read in its place when rows are added above, also while it scrolls smoothly. A change of
 * `scrollTop` would end that scrolling. Safari does not do this, and no browser does at the very top.
 */
const hasScrollAnchoring = globalThis.CSS?.supports?.('overflow-anchor', 'auto') ?? false

type WindowedMessage = Pick<ChatMessage, '_id' | 'content' | 'role'>

interface OlderMessages {
  hasMore: boolean
  isLoading: boolean
  load: () => void
}

export interface MessageWindow {
  scroller: RefObject<HTMLDivElement | null>
  list: RefObject<HTMLOListElement | null>
  /** An element below the list that the answer to a new question grows into. */
  space: RefObject<HTMLDivElement | null>
  /** Index of the first rendered message, and the index after the last one. */
  start: number
  end: number
  /** There are messages above that are not rendered by themselves. Known from the start, so that nothing moves. */
  hasEarlier: boolean
  /** The reader has scrolled up, so the view does not follow new content. */
  isScrolledUp: boolean
  handleScroll: () => void
  showEarlier: () => void
  /** Scrolls to the end and follows it from then on. */
  goToEnd: () => void
  /** From now on, the end of the scroller has the last question at its top. */
  openSpace: () => void
  /** Scrolls to a message, focuses it and highlights it briefly. */
  reveal: (id: string, words: string) => void
  /** Keeps the screen position when another message replaces a shown one. */
  keepPosition: (fromId: string, toId: string) => void
}

interface Anchor {
  element: Element
  edge: 'top' | 'bottom'
  edgePx: number
  /** Keep the position even at the end, where the view would otherwise follow new content. */
  holdsAtEnd: boolean
}

function readEdge({ element, edge }: Pick<Anchor, 'element' | 'edge'>): number {
  return element.getBoundingClientRect()[edge]
}

function createAnchor(element: Element, edge: Anchor['edge'], holdsAtEnd: boolean): Anchor {
  return {
    element,
    edge,
    edgePx: readEdge({ element, edge }),
    holdsAtEnd,
  }
}

/** Rows that were added above, and the scroller's height and position afterwards. */
interface AddedRows {
  anchor: Anchor
  height: number
  top: number
}

/**
 * Whether only these rows have changed the height, and what is being read is in its place. Chromium does not always keep it
 * there at the end of the scroller: then nothing has scrolled, and the first row that was there has moved.
 */
function isKept({ scrollHeight, scrollTop }: HTMLElement, added: AddedRows | null): boolean {
  if (added?.height !== scrollHeight) return false
  return scrollTop !== added.top || readEdge(added.anchor) === added.anchor.edgePx
}

function findRow(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`:scope > [data-id="${CSS.escape(id)}"]`) ?? null
}

function paintRow(row: HTMLElement): void {
  row.toggleAttribute('data-found', true)
  setTimeout(() => row.removeAttribute('data-found'), highlightMs)
}

/** Scrolls to a message and marks the words in it, or the whole message if that is not possible. */
function scrollToRow(row: HTMLElement, words: string): void {
  row.tabIndex = -1
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'center' })
  import('./mark-matches.ts').then(
    ({ markMatches }) => {
      if (!markMatches(row, words)) paintRow(row)
    },
    () => paintRow(row),
  )
}

function useResize(targets: readonly RefObject<Element | null>[], onResize: () => void): void {
  const handleResize = useEffectEvent(onResize)
  const observeTargets = useEffectEvent((observer: ResizeObserver) => {
    for (const { current } of targets) if (current) observer.observe(current)
  })
  // Before the first paint, which the observer's first call precedes.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => handleResize())
    observeTargets(observer)
    return () => observer.disconnect()
  }, [])
}

/**
 * After each change of the rows, calls back when the browser has time to render more: as soon as it is idle until they
 * fill the view, and once the page is in use from then on.
 */
function useSpareTime(
  scroller: RefObject<HTMLElement | null>,
  { messages, start }: { messages: readonly WindowedMessage[]; start: number },
  renderMore: (view: HTMLElement) => void,
): void {
  const renderMoreNow = useEffectEvent(() => {
    const view = scroller.current
    // Without a height, the list has no layout yet.
    if (view && view.clientHeight > 0) renderMore(view)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every change of the rendered rows
  useEffect(() => {
    const next = messages.slice(Math.max(0, start - idleRowCount), start)
    let isUnmounted = false
    function prepare(): void {
      void loadFormulasFor({ messages: next }).then(() => {
        // In short steps, so that a slow phone responds meanwhile.
        if (!isUnmounted) cancel = whenIdle(() => startTransition(renderMoreNow), idleTimeoutMs)
      })
    }
    // The height is read once the browser has calculated it.
    let cancel = whenIdle(() => {
      const view = scroller.current
      const isViewFilled = view !== null && view.scrollHeight > view.clientHeight
      if (isViewFilled) cancel = whenInUse(prepare, idleTimeoutMs)
      else prepare()
    }, idleTimeoutMs)
    return () => {
      isUnmounted = true
      cancel()
    }
  }, [start, messages.length])
}

/**
 * Renders a window of a chat's messages: first the last ones, and more above when the reader scrolls near the top,
 * without moving what is being read. At the end, the view follows growing content.
 */
export function useMessageWindow(messages: readonly WindowedMessage[], older: OlderMessages): MessageWindow {
  const ids = useMemo(() => messages.map(({ _id }) => _id), [messages])
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const { space, openSpace, fitSpace } = useAnswerSpace(scroller, list)
  const isNearEnd = useRef(true)
  const lastTop = useRef(0)
  const anchor = useRef<Anchor | null>(null)
  const added = useRef<AddedRows | null>(null)
  const [isScrolledUp, setIsScrolledUp] = useState(false)
  const [firstId, setFirstId] = useState(() => ids.at(-Math.max(1, countRowsToFill(messages))) ?? ids[0])

  const firstIndex = firstId === undefined ? 0 : ids.indexOf(firstId)
  const start = firstIndex === -1 ? Math.max(0, ids.length - idleRowCount) : firstIndex
  // Null while the last message is rendered, which is always the case unless the user jumped far up.
  const [endId, setEndId] = useState<string | null>(null)
  const lastIndex = endId === null ? -1 : ids.indexOf(endId)
  const end = lastIndex === -1 ? ids.length : lastIndex + 1
  /** The message to scroll to once it is rendered. */
  const revealed = useRef<{ id: string; words: string } | null>(null)

  function showEarlier(): void {
    const first = list.current?.firstElementChild
    if (start > 0) {
      if (first) anchor.current = createAnchor(first, 'top', false)
      const next = Math.max(0, start - rowsPerStep)
      setFirstId(ids[next])
      if (!isNearEnd.current && end - next > maxRenderedRows)
        setEndId(ids[next + maxRenderedRows - 1] ?? null)
    } else if (older.hasMore && !older.isLoading) older.load()
  }

  function showLater(): void {
    const last = ids[end - 1]
    if (end === ids.length || last === undefined) return
    const next = Math.min(ids.length, end + rowsPerStep)
    setEndId(next === ids.length ? null : (ids[next - 1] ?? null))
    const row = findRow(list.current, last)
    if (next - start <= maxRenderedRows || row === null) return
    anchor.current = createAnchor(row, 'bottom', false)
    setFirstId(ids[next - maxRenderedRows])
  }

  function followEnd(): void {
    fitSpace()
    if (isNearEnd.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }

  function handleScroll(): void {
    const view = scroller.current
    if (!view) return
    // Rows that are being rendered keep the position that the reader has scrolled to meanwhile.
    if (anchor.current !== null) anchor.current.edgePx = readEdge(anchor.current)
    const below = view.scrollHeight - view.scrollTop - view.clientHeight
    const isNear = end === ids.length && below <= nearEndPx
    // Content added since the last scroll event must not stop following: only scrolling up does.
    isNearEnd.current = isNear || (isNearEnd.current && view.scrollTop >= lastTop.current)
    lastTop.current = view.scrollTop
    setIsScrolledUp(!isNearEnd.current)
    // At the end, `useSpareTime` renders the rows above the view.
    if (view.scrollTop < topEdgePx && (start === 0 || !isNearEnd.current)) showEarlier()
    if (below < topEdgePx) showLater()
  }

  function goToEnd(): void {
    isNearEnd.current = true
    setIsScrolledUp(false)
    // Render few rows first, so that a message that was just sent appears at once.
    if (end !== ids.length || ids.length - start > 2 * idleRowCount)
      setFirstId(ids.at(-idleRowCount) ?? ids[0])
    setEndId(null)
    followEnd()
  }

  function reveal(id: string, words: string): void {
    const target = ids.indexOf(id)
    if (target === -1) return
    isNearEnd.current = false
    const row = findRow(list.current, id)
    if (row !== null) {
      scrollToRow(row, words)
      return
    }
    revealed.current = { id, words }
    setFirstId(ids[Math.max(0, target - rowsAroundTarget)])
    setEndId(ids[target + rowsAroundTarget] ?? null)
  }

  const keepPosition = useCallback((fromId: string, toId: string): void => {
    const element = [...(list.current?.children ?? [])].find((row) => row.getAttribute('data-id') === fromId)
    if (!element || !scroller.current) return
    // If the message starts above the viewport, anchor its bottom edge.
    const isTopVisible = element.getBoundingClientRect().top >= scroller.current.getBoundingClientRect().top
    anchor.current = createAnchor(element, isTopVisible ? 'top' : 'bottom', true)
    setFirstId((first) => (first === fromId ? toId : first))
  }, [])

  const lastId = ids.at(-1)
  /** Null before the first rows were rendered. */
  const lastIdBefore = useRef<string | null | undefined>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every change of the rendered rows
  useLayoutEffect(() => {
    const isFirst = lastIdBefore.current === null
    const hasNewEnd = lastId !== lastIdBefore.current
    lastIdBefore.current = lastId
    // The first rows are scrolled to their end by `useResize`, when the browser has calculated the layout. Reading it here
    // would do that in the task that has rendered them, which would block a slow phone for a tenth of a second.
    if (isFirst) return
    const lastAnchor = anchor.current
    anchor.current = null
    const view = scroller.current
    if (!view) return
    fitSpace()
    const row = findRow(list.current, revealed.current?.id ?? '')
    if (row !== null) {
      scrollToRow(row, revealed.current?.words ?? '')
      revealed.current = null
      lastTop.current = view.scrollTop
      setIsScrolledUp(view.scrollHeight - view.scrollTop - view.clientHeight > nearEndPx)
      return
    }
    if (lastAnchor?.element.isConnected && (lastAnchor.holdsAtEnd || !isNearEnd.current || !hasNewEnd)) {
      const isKeptByBrowser = hasScrollAnchoring && !lastAnchor.holdsAtEnd && view.scrollTop > 0
      if (!isKeptByBrowser) view.scrollTop += readEdge(lastAnchor) - lastAnchor.edgePx
      added.current = { anchor: lastAnchor, height: view.scrollHeight, top: view.scrollTop }
      if (!lastAnchor.holdsAtEnd) return
      // The reader chose this position: follow only at the very end.
      const below = view.scrollHeight - view.scrollTop - view.clientHeight
      isNearEnd.current = below <= 1
      lastTop.current = view.scrollTop
      setIsScrolledUp(below > nearEndPx)
    } else if (isNearEnd.current) view.scrollTop = view.scrollHeight
  }, [start, end, ids.length, lastId])

  // Anything may change the height: formulas, a phone's keyboard, a growing reply. Not followed are rows that were added
  // elsewhere, because the reader may have begun to scroll up.
  useResize([scroller, list], () => {
    if (scroller.current !== null && !isKept(scroller.current, added.current)) followEnd()
    added.current = null
  })

  useSpareTime(scroller, { messages, start }, (view) => {
    const needsMoreRows =
      start > 0 ? ids.length - start < idleRowCount : view.scrollHeight <= view.clientHeight
    if (needsMoreRows || (start > 0 && view.scrollTop < topEdgePx)) showEarlier()
  })

  return {
    scroller,
    list,
    space,
    start,
    end,
    hasEarlier: older.hasMore || (start > 0 && ids.length > idleRowCount),
    isScrolledUp,
    handleScroll,
    showEarlier,
    goToEnd,
    openSpace,
    reveal,
    keepPosition,
  }
}
