import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { toasts } from '#ui/toast.ts'
import { takeWritten, watchConsole } from './written.ts'

// What a browser has and jsdom has not.
globalThis.scrollTo = () => undefined
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  }) as MediaQueryList
URL.createObjectURL = () => 'blob:test'
URL.revokeObjectURL = () => undefined
Element.prototype.getAnimations ??= () => []
// Nothing has a size here.
class Unobserving {
  root = null
  rootMargin = ''
  scrollMargin = ''
  thresholds = []
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
  takeRecords = () => []
}
globalThis.ResizeObserver = Unobserving
globalThis.IntersectionObserver = Unobserving

// A machine that is busy with other suites is slow, not broken.
configure({ asyncUtilTimeout: 20_000 })
watchConsole()

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

afterEach(() => {
  cleanup()
  toasts.clear()
  vi.useRealTimers()
  takeWritten('warn')
  // React complains here: a test that causes a complaint has found something.
  expect(takeWritten('error')).toEqual([])
})
