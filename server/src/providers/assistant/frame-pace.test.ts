import { expect, it } from 'vitest'
import { toFrameMs } from './frame-pace.ts'

it.each([
  [0, 30],
  [0.3, 30],
  [0.5, 90],
  [0.7, 150],
  [1, 150],
])('at a load of %f a frame lasts %i ms', (load, ms) => {
  expect(toFrameMs(load)).toBe(ms)
})
