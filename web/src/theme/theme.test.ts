import { describe, expect, it } from 'vitest'
import { chooseTheme } from './theme.ts'

function readTheme() {
  return document.documentElement.dataset['theme']
}

describe('chooseTheme', () => {
  it('applies and stores the choice, and returns to the system’s preference', () => {
    chooseTheme('dark')
    expect(readTheme()).toBe('dark')
    expect(localStorage.getItem('lyceum.theme')).toBe('dark')
    chooseTheme('system')
    expect(readTheme()).toBe('light')
  })

  it('follows another tab', async () => {
    chooseTheme('light')
    const otherTab = new BroadcastChannel('lyceum.theme')
    otherTab.postMessage('dark')
    await expect.poll(readTheme).toBe('dark')
    otherTab.postMessage('purple')
    otherTab.postMessage('light')
    await expect.poll(readTheme).toBe('light')
    otherTab.close()
  })
})
