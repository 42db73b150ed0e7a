import type { LucideIcon } from 'lucide-react'
import {
  Fragment,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { cx } from './cx.ts'

export interface MenuItem {
  /** Distinguishes items that may have the same label. */
  id?: string
  label: string
  icon: LucideIcon
  tone?: 'plain' | 'danger'
  /** A line separates the item from those above it. */
  startsGroup?: boolean
  /** What the page shows already. */
  isCurrent?: boolean
  /** The item cannot be chosen. Neighbors with the same reason show it once, below the last of them. */
  disabledReason?: string
  onChoose: () => void
}

const gapPx = 4

/** Places the panel below its button, or above it if it does not fit there, and always inside the window. */
function placeNextTo(button: HTMLElement, panel: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const fitsBelow = bottom + gapPx + height <= innerHeight
  panel.style.top = `${Math.max(gapPx, fitsBelow ? bottom + gapPx : top - gapPx - height)}px`
  panel.style.left = `${Math.max(gapPx, Math.min(right - width, innerWidth - width - gapPx))}px`
}

/** The index of the last of the items from this one on that share its reason. */
function findLastNeighbor(items: readonly MenuItem[], index: number): number {
  const reason = items[index]?.disabledReason
  const next = items.findIndex((item, at) => at > index && item.disabledReason !== reason)
  return next === -1 ? items.length - 1 : next - 1
}

interface ItemProps {
  item: MenuItem
  /** The element that shows why the item is disabled. */
  reasonId: string
  onChoose: () => void
}

function ItemButton({ item, reasonId, onChoose }: ItemProps) {
  const { label, icon: Icon, tone = 'plain', startsGroup = false } = item
  const isDisabled = item.disabledReason !== undefined
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      // Keeps the focus, so that the reason can be read.
      aria-disabled={isDisabled || undefined}
      aria-current={item.isCurrent || undefined}
      aria-describedby={isDisabled ? reasonId : undefined}
      onClick={isDisabled ? undefined : onChoose}
      className={cx(
        'flex min-h-10 w-full items-center gap-3 rounded-control px-3 py-1.5 text-start text-sm -outline-offset-2 pointer-coarse:min-h-11',
        item.isCurrent && 'font-medium',
        isDisabled && 'cursor-not-allowed opacity-55',
        !isDisabled &&
          (tone === 'danger'
            ? 'text-danger hover:bg-danger-soft'
            : 'hover:bg-surface-2 dark:hover:bg-hairline'),
        startsGroup &&
          "relative not-first:mt-2.25 not-first:before:absolute not-first:before:inset-x-1 not-first:before:-top-1.25 not-first:before:border-hairline not-first:before:border-t not-first:before:content-['']",
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
      <span className="wrap-anywhere min-w-0">{label}</span>
    </button>
  )
}

interface Props {
  label: string
  items: readonly MenuItem[]
  button: HTMLElement
  onClose: (returnsFocus: boolean) => void
}

/** The open menu, above everything else. It holds the focus while it is open. */
export function OpenMenu({ label, items, button, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  const closeWithoutFocus = useEffectEvent(() => onClose(false))

  useLayoutEffect(() => {
    const menu = panel.current
    if (menu === null) return
    // Use the top layer, so that a scrolling sidebar does not clip the menu. Browsers from before 2024 lack it.
    if ('showPopover' in menu) {
      menu.popover = 'manual'
      menu.showPopover()
    }
    placeNextTo(button, menu)
    menu.querySelector('button')?.focus({ preventScroll: true })
  }, [button])

  useEffect(() => {
    function handlePointerDown({ target }: Event): void {
      if (target instanceof Node && (panel.current?.contains(target) || button.contains(target))) return
      closeWithoutFocus()
    }
    function handleResize(): void {
      closeWithoutFocus()
    }
    // The menu does not move with its button, so it closes when a container of the button scrolls.
    function handleScroll({ target }: Event): void {
      if (target instanceof Node && target.contains(button)) closeWithoutFocus()
    }
    document.addEventListener('pointerdown', handlePointerDown)
    document.addEventListener('scroll', handleScroll, true)
    addEventListener('resize', handleResize)
    return () => {
      document.removeEventListener('pointerdown', handlePointerDown)
      document.removeEventListener('scroll', handleScroll, true)
      removeEventListener('resize', handleResize)
    }
  }, [button])

  function handleKeyDown(event: KeyboardEvent): void {
    const buttons = [...(panel.current?.querySelectorAll('button') ?? [])]
    const focused = buttons.findIndex((button) => button.matches(':focus'))
    const targets: Record<string, number> = {
      ArrowDown: (focused + 1) % buttons.length,
      ArrowUp: (focused - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    }
    const target = targets[event.key]
    if (target !== undefined) buttons[target]?.focus()
    else if (event.key === 'Escape') onClose(true)
    else if (event.key === 'Tab') {
      onClose(true)
      return
    } else return
    // Escape must close only the menu, not a drawer around it.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={panel}
      role="menu"
      aria-label={label}
      onKeyDown={handleKeyDown}
      className="fixed inset-auto z-40 m-0 max-h-[calc(100dvh-0.5rem)] min-w-48 max-w-[min(20rem,calc(100vw-0.5rem))] rounded-card border border-hairline bg-raised p-1 overflow-y-auto text-ink shadow-float"
    >
      {items.map((item, index) => {
        const { disabledReason } = item
        const reasonId = `${id}-${findLastNeighbor(items, index)}`
        return (
          <Fragment key={item.id ?? item.label}>
            <ItemButton
              item={item}
              reasonId={reasonId}
              onChoose={() => {
                onClose(true)
                item.onChoose()
              }}
            />
            {disabledReason !== undefined && disabledReason !== items[index + 1]?.disabledReason && (
              // The items refer to it. It is not read a second time as a part of the menu.
              <span id={reasonId} aria-hidden="true" className="block ps-10 pe-3 pb-1.5 text-muted text-xs">
                {disabledReason}
              </span>
            )}
          </Fragment>
        )
      })}
    </div>
  )
}
