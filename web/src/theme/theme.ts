import { createStore, useStoreValue } from '#lib/store.ts'

export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]
export type Theme = 'light' | 'dark'

// public/theme.js reads the same key before the first paint.
const storageKey = 'lyceum.theme'

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const channel = new BroadcastChannel('lyceum.theme')

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

function resolveTheme(choice: ThemeChoice): Theme {
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

interface ThemeState {
  readonly choice: ThemeChoice
  readonly theme: Theme
}

function createState(choice: ThemeChoice): ThemeState {
  return { choice, theme: resolveTheme(choice) }
}

const store = createStore(createState(readChoice()))

function apply(choice: ThemeChoice): void {
  const next = createState(choice)
  document.documentElement.dataset['theme'] = next.theme
  store.set(next)
}

systemDark.addEventListener('change', () => apply(store.get().choice))
channel.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (isChoice(event.data)) apply(event.data)
})

export function chooseTheme(next: ThemeChoice): void {
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
  channel.postMessage(next)
  apply(next)
}

export function readThemeChoice(): ThemeChoice {
  return store.get().choice
}

export function useThemeChoice(): ThemeChoice {
  return useStoreValue(store, ({ choice }) => choice)
}

/** The theme in use: 'system' is resolved to the preference of the operating system. */
export function useTheme(): Theme {
  return useStoreValue(store, ({ theme }) => theme)
}
