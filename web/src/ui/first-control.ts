const controls = [
  'a[href]',
  'button:not(:disabled)',
  'input:not(:disabled, [type=hidden])',
  'select:not(:disabled)',
  'textarea:not(:disabled)',
  '[tabindex="0"]',
]

/** In a group of radio buttons, the Tab key reaches only the chosen one, or the first if none is chosen. */
function isReached(control: HTMLElement, container: HTMLElement): boolean {
  if (!(control instanceof HTMLInputElement) || control.type !== 'radio' || control.checked) return true
  const chosen = container.querySelector(`input[type=radio][name="${CSS.escape(control.name)}"]:checked`)
  return chosen === null
}

/** The first control that the Tab key reaches. The button that dismisses a result does not count. */
export function findFirstControl(container: HTMLElement | null): HTMLElement | null {
  if (container === null) return null
  const found = [...container.querySelectorAll<HTMLElement>(controls.join())]
  return (
    found.find(
      (control) =>
        control.tabIndex >= 0 && control.closest('[data-card]') === null && isReached(control, container),
    ) ?? null
  )
}
