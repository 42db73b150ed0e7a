import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, type ThemeChoice, themeChoices, useThemeChoice } from '#theme/theme.ts'
import { IconButton } from './IconButton.tsx'

const icons = { system: Monitor, light: Sun, dark: Moon }
const names = { system: 'system', light: 'light', dark: 'dark' }

function getNextChoice(choice: ThemeChoice): ThemeChoice {
  return themeChoices[(themeChoices.indexOf(choice) + 1) % themeChoices.length] ?? 'system'
}

/** Cycles through system, light and dark. */
export function ThemeToggle() {
  const choice = useThemeChoice()
  return (
    <IconButton
      label={`Theme: ${names[choice]}`}
      icon={icons[choice]}
      tooltipAlign="end"
      onClick={() => chooseTheme(getNextChoice(choice))}
    />
  )
}
