import { afterEach, describe, expect, it, vi } from 'vitest'
import { localStore } from './storage.ts'

function denyAccess(): never {
  throw new DOMException('denied', 'SecurityError')
}

afterEach(() => {
  vi.restoreAllMocks()
  localStore.remove('key')
})

describe('localStore', () => {
  it('keeps values in memory when storage is disabled', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(denyAccess)
    expect(localStore.read('key')).toBeNull()
    localStore.write('key', 'value')
    expect(localStore.read('key')).toBe('value')
    localStore.remove('key')
    expect(localStore.read('key')).toBeNull()
  })

  it('returns the newer value when storage is full', () => {
    localStore.write('key', 'older')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(denyAccess)
    localStore.write('key', 'newer')
    expect(localStore.read('key')).toBe('newer')
    expect(localStorage.getItem('key')).toBe('older')
  })

  it('shares values with other tabs', () => {
    localStore.write('key', 'value')
    expect(localStorage.getItem('key')).toBe('value')
    localStorage.setItem('key', 'from another tab')
    expect(localStore.read('key')).toBe('from another tab')
  })
})
