const controls = [
  'a[href]',
  'button:not(:disabled)',
  'input:not(:disabled, [type=hidden], [type=radio])',
  'input[type=radio]:checked:not(:disabled)',
  'select:not(:disabled)',
  'textarea:not(:disabled)',
  '[tabindex="0"]',
]

/**
 * The first control that the Tab key reaches. In a group of radio buttons, that is the chosen one. The button that dismisses
 * a result does not count.
 */
export function findFirstControl(container: HTMLElement | null): HTMLElement | null {
  const found = container?.querySelectorAll<HTMLElement>(controls.join()) ?? []
  return (
    [...found].find((control) => control.tabIndex >= 0 && control.closest('[data-card]') === null) ?? null
  )
}
