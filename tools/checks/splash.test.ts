import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const splash = readFileSync(join(import.meta.dirname, '../../web/public/splash.css'), 'utf8')
const theme = readFileSync(join(import.meta.dirname, '../../web/src/theme/theme.css'), 'utf8')

function readColors(block: string): (string | undefined)[] {
  const rules = theme.slice(theme.indexOf(`\n${block} {`)).split('}')[0] ?? ''
  return ['surface', 'hairline', 'page', 'ink'].map(
    (name) => new RegExp(`--${name}: (#\\w+)`).exec(rules)?.[1],
  )
}

it.each([
  ['light', ':root', splash.split("[data-theme='dark']")[0]],
  ['dark', "[data-theme='dark']", splash.slice(splash.indexOf("[data-theme='dark']"))],
])('uses the colors of the %s theme', (_name, block, rules) => {
  expect(rules?.match(/#[0-9a-f]+/g)).toEqual(readColors(block))
})
