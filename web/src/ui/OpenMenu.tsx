import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { cx } from './cx.ts'

export interface MenuItem {
  label: string
  icon: LucideIcon
  tone?: 'plain' | 'danger'
  onChoose: () => void
}

const gapPx = 4

/** Under its button, or above it where there is no room; never out of the window. */
function placeBeside(button: HTMLElement, panel: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const isRoomBelow = at.bottom + gapPx + height <= innerHeight
  panel.style.top = `${Math.max(gapPx, isRoomBelow ? at.bottom + gapPx : at.top - gapPx - height)}px`
  panel.style.left = `${Math.max(gapPx, Math.min(at.right - width, innerWidth - width - gapPx))}px`
}

interface Props {
  label: string
  items: readonly MenuItem[]
  /** What it was opened with. */
  button: HTMLElement
  onClose: (returnsFocus: boolean) => void
}

/** The actions themselves, over everything else. The focus is in them while they are there. */
export function OpenMenu({ label, items, button, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const closeWithoutFocus = useEffectEvent(() => onClose(false))

  useLayoutEffect(() => {
    const menu = panel.current
    if (menu === null) return
    // Over everything, also over the edge of a sidebar that scrolls. Browsers before 2024 show it in its place.
    if ('showPopover' in menu) {
      menu.popover = 'manual'
      menu.showPopover()
    }
    placeBeside(button, menu)
    menu.querySelector('button')?.focus({ preventScroll: true })
  }, [button])

  useEffect(() => {
    function leave(event: Event): void {
      const to = event.target
      if (to instanceof Node && (panel.current?.contains(to) || button.contains(to))) return
      closeWithoutFocus()
    }
    function handleResize(): void {
      closeWithoutFocus()
    }
    // The menu does not move with its button, so it closes when a container of the button scrolls.
    function leaveWithButton({ target }: Event): void {
      if (target instanceof Node && target.contains(button)) closeWithoutFocus()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('scroll', leaveWithButton, true)
    addEventListener('resize', handleResize)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('scroll', leaveWithButton, true)
      removeEventListener('resize', handleResize)
    }
  }, [button])

  function handleKeyDown(event: KeyboardEvent): void {
    const buttons = [...(panel.current?.querySelectorAll('button') ?? [])]
    const place = buttons.findIndex((button) => button.matches(':focus'))
    const targets: Record<string, number> = {
      ArrowDown: (place + 1) % buttons.length,
      ArrowUp: (place - 1 + buttons.length) % buttons.length,
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
    // Escape closes the menu and not the drawer it may stand in.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={panel}
      role="menu"
      aria-label={label}
      onKeyDown={handleKeyDown}
      className="fixed inset-auto z-40 m-0 min-w-48 rounded-card border border-hairline bg-raised p-1 text-ink shadow-float"
    >
      {items.map(({ label: name, icon: Icon, tone = 'plain', onChoose }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose(true)
            onChoose()
          }}
          className={cx(
            'flex min-h-10 w-full items-center gap-3 rounded-control px-3 py-1.5 text-start text-sm -outline-offset-2 pointer-coarse:min-h-11',
            tone === 'danger'
              ? 'text-danger hover:bg-danger-soft'
              : 'hover:bg-surface-2 dark:hover:bg-hairline',
          )}
        >
          <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
          {name}
        </button>
      ))}
    </div>
  )
}
