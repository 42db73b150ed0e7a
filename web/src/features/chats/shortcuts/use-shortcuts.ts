import { useEffect, useEffectEvent } from 'react'
import { type Deed, deedOf } from './shortcuts.ts'
import { singleKeys } from './single-keys.ts'

const typed = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
/** What lies over the screen has the keys to itself. */
const inFront = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]'

/** Null for what cannot be done now: its key is left to the browser. */
export type Deeds = Record<Deed, (() => void) | null>

export const useShortcuts = (deeds: Deeds): void => {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    if (document.querySelector(inFront) !== null) return
    const isTyping = event.target instanceof Element && event.target.closest(typed) !== null
    const deed = deedOf(event, { isTyping, areSinglesOn: singleKeys.areOn() })
    const act = deed === null ? null : deeds[deed]
    if (act === null) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
