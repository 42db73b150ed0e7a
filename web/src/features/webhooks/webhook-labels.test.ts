import { expect, it } from 'vitest'
import { shortenAddress } from './webhook-labels.ts'

it.each([
  ['https://desk.example.org', 'https://desk.example.org'],
  ['https://desk.example.org:8443/hooks/lyceum?token=secret', 'https://desk.example.org:8443/hooks/lyceum'],
  ['https://hooks.example.com/services/T0000/B0000/abcdefghijkl', 'https://hooks.example.com/services/…ijkl'],
  ['https://hooks.example.com/0123456789abcdef0123456789', 'https://hooks.example.com/…6789'],
])('shortens %s to %s', (address, short) => {
  expect(shortenAddress(address)).toBe(short)
})
