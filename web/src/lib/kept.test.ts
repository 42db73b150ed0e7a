import { afterEach, describe, expect, it, vi } from 'vitest'
import { kept } from './kept.ts'

function denied(): never {
  throw new DOMException('denied', 'SecurityError')
}

afterEach(() => {
  vi.restoreAllMocks()
  kept.remove('key')
})

describe('what is kept in the browser', () => {
  it('lasts as long as the page where nothing can be stored or read', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(denied)
    expect(kept.read('key')).toBeNull()
    kept.write('key', 'value')
    expect(kept.read('key')).toBe('value')
    kept.remove('key')
    expect(kept.read('key')).toBeNull()
  })

  it('is the newer value on this page where there is no room for it', () => {
    kept.write('key', 'older')
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(denied)
    kept.write('key', 'newer')
    expect(kept.read('key')).toBe('newer')
    expect(localStorage.getItem('key')).toBe('older')
  })

  it('is in local storage otherwise, where other tabs see it', () => {
    kept.write('key', 'value')
    expect(localStorage.getItem('key')).toBe('value')
    localStorage.setItem('key', 'from another tab')
    expect(kept.read('key')).toBe('from another tab')
  })
})
