import { describe, expect, it } from 'vitest'
import { chooseTheme } from './theme.ts'

function shown() {
  return document.documentElement.dataset['theme']
}

describe('chooseTheme', () => {
  it('shows, stores and goes back to the system’s preference', () => {
    chooseTheme('dark')
    expect(shown()).toBe('dark')
    expect(localStorage.getItem('lyceum.theme')).toBe('dark')
    chooseTheme('system')
    expect(shown()).toBe('light')
  })

  it('follows another tab', async () => {
    chooseTheme('light')
    const otherTab = new BroadcastChannel('lyceum.theme')
    otherTab.postMessage('dark')
    await expect.poll(shown).toBe('dark')
    otherTab.postMessage('purple')
    otherTab.postMessage('light')
    await expect.poll(shown).toBe('light')
    otherTab.close()
  })
})
