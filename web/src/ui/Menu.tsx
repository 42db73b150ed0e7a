import type { LucideIcon } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { log } from '#lib/log.ts'
import { IconButton } from './IconButton.tsx'
import type { MenuItem } from './OpenMenu.tsx'

interface Props {
  label: string
  /** Tooltip, if different from the label. */
  tip?: string
  icon: LucideIcon
  /** A function loads them when the menu opens. */
  items: readonly MenuItem[] | (() => Promise<readonly MenuItem[]>)
  tabIndex?: number
  className?: string
}

// Loaded when the first menu opens, because every list row has a menu button.
const OpenMenu = lazyComponent(async () => (await import('./OpenMenu.tsx')).OpenMenu)

/** A button that opens a menu of further actions. Arrow keys move the focus, and Escape closes the menu. */
export function Menu({ label, tip, icon, items, tabIndex, className }: Props) {
  // Set when the menu opens. A ref callback that sets state would render the whole page twice.
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const isOpen = button !== null
  const [loaded, setLoaded] = useState<readonly MenuItem[] | null>(null)
  const isLazy = typeof items === 'function'
  const shown = isLazy ? loaded : items

  function close(): void {
    setButton(null)
  }

  function toggle({ currentTarget }: SyntheticEvent<HTMLButtonElement>): void {
    setButton(isOpen ? null : currentTarget)
    if (isOpen || !isLazy) return
    setLoaded(null)
    OpenMenu.preload()
    items().then(setLoaded, (cause: unknown) => {
      log('The items of a menu could not be loaded', cause)
      close()
    })
  }
  return (
    <>
      <IconButton
        icon={icon}
        label={label}
        {...(tip === undefined ? {} : { tip })}
        tooltipAlign="end"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        tabIndex={tabIndex}
        onClick={toggle}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return
          event.preventDefault()
          toggle(event)
        }}
        {...(className === undefined ? {} : { className })}
      />
      {isOpen && shown !== null && (
        <OpenMenu
          open
          onLoadError={close}
          props={{
            label,
            items: shown,
            button,
            onClose: (returnsFocus) => {
              close()
              if (returnsFocus) button.focus()
            },
          }}
        />
      )}
    </>
  )
}
