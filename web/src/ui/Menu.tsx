import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
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
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [loaded, setLoaded] = useState<readonly MenuItem[] | null>(null)
  const isLazy = typeof items === 'function'
  const shown = isLazy ? loaded : items

  function toggle(): void {
    setIsOpen(!isOpen)
    if (isOpen || !isLazy) return
    setLoaded(null)
    OpenMenu.preload()
    items().then(setLoaded, (cause: unknown) => {
      log('The items of a menu could not be loaded', cause)
      setIsOpen(false)
    })
  }
  return (
    <>
      <IconButton
        ref={setButton}
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
          toggle()
        }}
        {...(className === undefined ? {} : { className })}
      />
      {isOpen && button !== null && shown !== null && (
        <OpenMenu
          open
          onLoadError={() => setIsOpen(false)}
          props={{
            label,
            items: shown,
            button,
            onClose: (returnsFocus) => {
              setIsOpen(false)
              if (returnsFocus) button.focus()
            },
          }}
        />
      )}
    </>
  )
}
