import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderFormula } from './katex.ts'

function renderToSpan(tex: string): HTMLElement {
  const element = document.createElement('span')
  renderFormula(tex, element, false)
  return element
}

describe('renderFormula', () => {
  afterEach(() => vi.restoreAllMocks())

  it('shows an unknown command by name and renders the rest', () => {
    const { textContent } = renderToSpan('\\frac{\\nosuch a}{\\neither}')
    expect(textContent).toContain('\\nosuch')
    expect(textContent).toContain('\\neither')
  })

  it.each(['\\frac{1}{', '\\begin{matrix} x', 'x^2^3', '\\a\\b\\c\\d\\e\\f\\g'.replaceAll('\\', '\\no')])(
    'throws instead of rendering only part of %s',
    (tex) => {
      expect(() => renderToSpan(tex)).toThrow()
    },
  )

  it('never sets a style attribute, which the content security policy blocks', () => {
    const setAttribute = vi.spyOn(Element.prototype, 'setAttribute')
    for (const tex of [
      '\\sqrt{x}',
      '\\nosuch',
      '\\href{javascript:1}{x}',
      '\\htmlStyle{color:red}{x}',
      '\\frac{1}{',
    ])
      try {
        renderToSpan(tex)
      } catch {
        // Another test covers invalid formulas.
      }
    expect(setAttribute).toHaveBeenCalled()
    expect(setAttribute.mock.calls.filter(([name]) => name === 'style')).toEqual([])
  })

  it.each([
    `\\def\\a{${'x'.repeat(1_000)}}${'\\a'.repeat(190)}`,
    '\\gdef\\mine{y}\\mine',
    '\\newcommand{\\a}{x}\\a',
    '\\let\\a=x',
  ])('refuses to define macros: %.20s', (tex) => {
    expect(() => renderToSpan(tex)).toThrow('must not define macros')
  })
})
