import { describe, expect, it } from 'vitest'
import { avatarColors, getAvatarColor } from './avatar-colors.ts'

/** WCAG relative luminance of a color such as `1e40af`. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

describe('avatarColors', () => {
  it.each(avatarColors)('has readable text in both themes: %s', (color) => {
    const [background = '', text = '', darkBackground = '', darkText = ''] = [
      ...color.matchAll(/#([0-9a-f]{6})/g),
    ].map((match) => match[1])
    expect(contrast(background, text)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(darkBackground, darkText)).toBeGreaterThanOrEqual(4.5)
  })
})

describe('getAvatarColor', () => {
  it('returns the same color for the same id', () => {
    expect(getAvatarColor('01a208d4-bb76-7eae')).toBe(getAvatarColor('01a208d4-bb76-7eae'))
  })

  it('uses all colors for ids that were made in a row', () => {
    const ids = Array.from(
      { length: 64 },
      (_, at) => `01a208d4-bb76-7eae-ab20-${String(at).padStart(12, '0')}`,
    )
    expect(new Set(ids.map(getAvatarColor)).size).toBe(avatarColors.length)
  })
})
