import { afterEach } from 'vitest'

// What is written to the console is either a fault that nobody looked at or noise that hides the next one.
// A test that expects such words puts its own spy in this place.
const stray: string[] = []
for (const method of ['error', 'warn'] as const) {
  console[method] = (...words: unknown[]) => void stray.push(`console.${method}: ${words.join(' ')}`)
}

afterEach(() => {
  const words = stray.splice(0)
  if (words.length > 0) throw new Error(words.join('\n'))
})
