import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { bannerStore } from '#ui/banner.ts'
import { preloadConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { preloadDialog } from '#ui/Dialog.tsx'
import { toasts } from '#ui/toast.ts'
import { takeConsoleOutput, watchConsole } from './console-output.ts'

// Pages load the code of dialogs while they are idle.
await Promise.all([import('#ui/DialogWindow.tsx'), import('#ui/ConfirmDialogWindow.tsx')])
preloadDialog()
preloadConfirmDialog()

// Browser features that jsdom lacks.
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
Element.prototype.scrollIntoView ??= () => undefined
// jsdom has no layout.
class FakeObserver {
  root = null
  rootMargin = ''
  scrollMargin = ''
  thresholds = []
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
  takeRecords = () => []
}
globalThis.ResizeObserver = FakeObserver
globalThis.IntersectionObserver = FakeObserver

const { asyncWrapper: waitAsUsual } = getConfig()
// Node has it, the types of a browser do not. Tests may replace the timers later.
declare function setImmediate(run: () => void): void
const scheduleAfterReact = setImmediate

configure({
  // The machine may be busy with other suites.
  asyncUtilTimeout: 20_000,
  // On a busy machine, React runs effects, such as focusing a field, in a task after the one that shows the field.
  asyncWrapper: async (wait) => {
    const result = await waitAsUsual(wait)
    await new Promise<void>((resolve) => scheduleAfterReact(resolve))
    return result
  },
})
watchConsole()

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

afterEach(() => {
  cleanup()
  toasts.clear()
  bannerStore.clear()
  vi.useRealTimers()
  takeConsoleOutput('warn')
  // React logs its errors here. Any unexpected error fails the test.
  expect(takeConsoleOutput('error')).toEqual([])
})
