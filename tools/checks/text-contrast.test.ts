import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../web/src/theme/theme.css', import.meta.url), 'utf8')

/** Opacity of the page's color over a picture (WallpaperBackdrop). */
const coverOpacity = 0.92

const primary = new Map(
  [...css.matchAll(/--color-(primary-\d+): oklch\(([\d. ]+)\)/g)].map(([, name = '', value = '']) => [
    name,
    value.split(' ').map(Number),
  ]),
)
function parseBlock(selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`)
  const body = css.slice(start, css.indexOf('\n}', start))
  return new Map(
    [...body.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function parseHex(hex: string): number[] {
  const six = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1)
  return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16) / 255)
}

function computeLuminance([red = 0, green = 0, blue = 0]: number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Björn Ottosson's conversion from OKLCH to linear RGB. */
function oklchToLinear([lightness = 0, chroma = 0, hue = 0]: number[]): number[] {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function computeTokenLuminance(value: string): number {
  const name = /^var\(--color-(primary-\d+)\)$/.exec(value)?.[1]
  return computeLuminance(
    name === undefined ? parseHex(value).map(toLinear) : oklchToLinear(primary.get(name) ?? []),
  )
}

function computeContrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** Luminance of the page's color over a black and over a white picture. */
function computeBackgrounds(page: string): number[] {
  return [0, 1].map((picture) =>
    computeLuminance(
      parseHex(page).map((value) => toLinear(value * coverOpacity + picture * (1 - coverOpacity))),
    ),
  )
}

describe('text over a picture', () => {
  const light = new Map([...parseBlock(':root'), ...parseBlock("[data-theme='light'] .on-picture")])
  const dark = new Map([...light, ...parseBlock("[data-theme='dark']")])

  it.each([
    ['light', light],
    ['dark', dark],
  ])('is readable in the %s theme over any picture', (_, tokens) => {
    for (const name of ['ink', 'muted', 'link', 'danger', 'success', 'warning'])
      for (const background of computeBackgrounds(tokens.get('page') ?? ''))
        expect(
          computeContrast(computeTokenLuminance(tokens.get(name) ?? ''), background),
          name,
        ).toBeGreaterThanOrEqual(4.5)
  })
})
