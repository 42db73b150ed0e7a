import { expect, it } from 'vitest'
import { toFrameMs } from './frame-pace.ts'

it.each([
  [0, 30],
  [0.15, 30],
  [0.35, 90],
  [0.55, 150],
  [1, 150],
])('at a load of %f a frame lasts %i ms', (load, ms) => {
  expect(toFrameMs(load)).toBe(ms)
})
