import { type FocusEvent, type KeyboardEvent, useState } from 'react'

/** Its first control is the entry itself, the others are actions on it. */
const rowSelector = '[data-row]'

function listRows(list: Element): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(rowSelector)]
}

export function listRowControls(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, button:not([role=menuitem])')]
}

/** What a key moves the focus to. */
function findTarget(
  key: string,
  list: Element,
  control: HTMLElement,
  row: HTMLElement,
): HTMLElement | undefined {
  const rows = listRows(list)
  const controls = listRowControls(row)
  const rowIndex = rows.indexOf(row)
  const controlIndex = controls.indexOf(control)
  // An open menu inside the row handles its own keys.
  if (controlIndex === -1) return undefined
  const rowTargets: Record<string, number> = {
    ArrowDown: rowIndex + 1,
    ArrowUp: rowIndex - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const rowTarget = rowTargets[key]
  if (rowTarget !== undefined) {
    const next = rows[rowTarget]
    return next === undefined ? undefined : listRowControls(next)[0]
  }
  if (key === 'ArrowRight') return controls[controlIndex + 1]
  return key === 'ArrowLeft' ? controls[controlIndex - 1] : undefined
}

/**
 * Makes the rows of a list one Tab stop: Up, Down, Home and End move between rows; Right and Left, between the entry of
 * a row and its actions. Tab enters the list at the row that had the focus, if the focus is still inside, or else at
 * the current row.
 */
export function useRows(ids: readonly string[], currentId: string | null) {
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const candidates = [focusedId, currentId].filter((id) => id !== null && ids.includes(id))
  return {
    tabStopId: candidates[0] ?? ids[0] ?? null,
    listProps: {
      onFocus: ({ target }: FocusEvent<HTMLElement>): void =>
        setFocusedId(target.closest<HTMLElement>(rowSelector)?.dataset['row'] ?? null),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
        if (!currentTarget.contains(relatedTarget)) setFocusedId(null)
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
        const { key, target, currentTarget } = event
        if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
        if (!(target instanceof HTMLElement)) return
        const row = target.closest<HTMLElement>(rowSelector)
        const next = row === null ? undefined : findTarget(key, currentTarget, target, row)
        if (next === undefined) return
        event.preventDefault()
        next.focus()
      },
    },
  }
}
