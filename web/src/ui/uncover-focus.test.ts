import { renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { uncoverFocus, useUncoveredFocus } from './uncover-focus.ts'

const scrollBy = vi.fn()

function place(element: Element, top: number, height: number): void {
  element.getBoundingClientRect = () => new DOMRect(0, top, 300, height)
}

/** A page of 2,000 px with a button at 640 px, and a card at 650 px. */
function createPage() {
  document.body.innerHTML =
    '<main tabindex="-1"><p><button>Save</button></p></main><section><div data-card></div></section>'
  const [main, row, button, section, card] = ['main', 'p', 'button', 'section', '[data-card]'].map(
    (selector) => document.querySelector<HTMLElement>(selector) ?? document.body,
  )
  place(document.body, 0, 2000)
  for (const [element, top, height] of [
    [main, 0, 1900],
    [row, 640, 40],
    [button, 640, 40],
    [card, 650, 46],
  ] as const)
    if (element) place(element, top, height)
  return { main, button, section: section ?? document.body }
}

beforeEach(() => {
  scrollBy.mockClear()
  vi.stubGlobal('scrollBy', scrollBy)
})

describe('uncoverFocus', () => {
  it('scrolls the page by what a card covers of the focused control', () => {
    const { button, section } = createPage()
    button?.focus()
    uncoverFocus(section)
    expect(scrollBy.mock.calls).toEqual([[{ top: 38 }]])
  })

  it.each(['main', 'body'])('does not scroll while the %s has the focus', (name) => {
    const { main, section } = createPage()
    if (name === 'main') main?.focus()
    uncoverFocus(section)
    expect(document.activeElement?.localName).toBe(name)
    expect(scrollBy).not.toHaveBeenCalled()
  })

  it('does not scroll for a control in a dialog', () => {
    const { button, main, section } = createPage()
    main?.setAttribute('role', 'dialog')
    button?.focus()
    uncoverFocus(section)
    expect(scrollBy).not.toHaveBeenCalled()
  })

  it('does not scroll for a button of the card', () => {
    const { section } = createPage()
    const dismiss = document.createElement('button')
    section.querySelector('[data-card]')?.append(dismiss)
    place(dismiss, 655, 36)
    dismiss.focus()
    uncoverFocus(section)
    expect(scrollBy).not.toHaveBeenCalled()
  })
})

describe('useUncoveredFocus', () => {
  it('scrolls for a control that gets the focus while a card is shown', () => {
    const { button, section } = createPage()
    const ref = { current: section }
    const { rerender } = renderHook((id: number | undefined) => useUncoveredFocus(ref, id), {
      initialProps: 1 as number | undefined,
    })
    expect(scrollBy).not.toHaveBeenCalled()
    button?.focus()
    expect(scrollBy.mock.calls).toEqual([[{ top: 38 }]])
    button?.blur()
    rerender(undefined)
    button?.focus()
    expect(scrollBy).toHaveBeenCalledTimes(1)
  })

  it('does not move the page between a press and its click', async () => {
    const { button, section } = createPage()
    const ref = { current: section }
    const { rerender } = renderHook((id: number | undefined) => useUncoveredFocus(ref, id), {
      initialProps: undefined as number | undefined,
    })
    button?.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }))
    button?.focus()
    rerender(1)
    const scrolled = vi.fn()
    button?.addEventListener('click', () => scrolled(scrollBy.mock.calls.length))
    button?.click()
    expect(scrolled).toHaveBeenCalledWith(0)
    await vi.waitFor(() => expect(scrollBy.mock.calls).toEqual([[{ top: 38 }]]))
  })
})
