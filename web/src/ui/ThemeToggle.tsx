import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, readThemeChoice, type ThemeChoice, themeChoices, useThemeChoice } from '#theme/theme.ts'
import { IconButton } from './IconButton.tsx'
import type { MenuItem } from './OpenMenu.tsx'

const icons = { system: Monitor, light: Sun, dark: Moon }
const names = { system: 'system', light: 'light', dark: 'dark' }

function getNextChoice(choice: ThemeChoice): ThemeChoice {
  return themeChoices[(themeChoices.indexOf(choice) + 1) % themeChoices.length] ?? 'system'
}

/** The toggle as an item of a menu. */
export function createThemeItem(choice = readThemeChoice()): MenuItem {
  return {
    label: `Theme: ${names[choice]}`,
    icon: icons[choice],
    onChoose: () => chooseTheme(getNextChoice(choice)),
  }
}

/** Cycles through system, light and dark. */
export function ThemeToggle() {
  const { label, icon, onChoose } = createThemeItem(useThemeChoice())
  return <IconButton label={label} icon={icon} tooltipAlign="end" onClick={onChoose} />
}
