import { useSyncExternalStore } from 'react'

export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]
export type Theme = 'light' | 'dark'

// public/theme.js reads the same key before the first paint.
const storageKey = 'lyceum.theme'

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const channel = new BroadcastChannel('lyceum.theme')
const listeners = new Set<() => void>()

function isChoice(value: unknown): value is ThemeChoice {
  return themeChoices.some((choice) => choice === value)
}

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey)
    return isChoice(stored) ? stored : 'system'
  } catch {
    return 'system'
  }
}

let choice = readChoice()

function shownTheme(): Theme {
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

function apply(): void {
  document.documentElement.dataset['theme'] = shownTheme()
  for (const listener of listeners) listener()
}

systemDark.addEventListener('change', apply)
channel.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (!isChoice(event.data)) return
  choice = event.data
  apply()
})

export function chooseTheme(next: ThemeChoice): void {
  choice = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // A browser that stores nothing keeps the choice for this page only.
  }
  channel.postMessage(next)
  apply()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice)
}

/** What is on the screen, with the system's preference resolved. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, shownTheme)
}
