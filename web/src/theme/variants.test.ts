import { expect, it } from 'vitest'

const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true })

// Their selectors end in `*` after a `:has()`, so that each new node makes the browser recalculate all styles. A variant
// in theme.css, such as `beside-own-bar`, does not.
it('uses no variants group-has and peer-has', () => {
  const files = Object.entries(sources).filter(([, source]) => /\b(?:group|peer)-has-/.test(source))
  expect(Object.keys(sources).length).toBeGreaterThan(100)
  expect(files.map(([file]) => file)).toEqual([])
})
