import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, type ThemeChoice, themeChoices, useThemeChoice } from '#theme/theme.ts'
import { IconButton } from './IconButton.tsx'

const icons = { system: Monitor, light: Sun, dark: Moon }
const names = { system: 'as the system', light: 'light', dark: 'dark' }

function after(choice: ThemeChoice): ThemeChoice {
  return themeChoices[(themeChoices.indexOf(choice) + 1) % themeChoices.length] ?? 'system'
}

/** Goes round: as the system, light, dark. */
export function ThemeToggle() {
  const choice = useThemeChoice()
  return (
    <IconButton
      label={`Theme: ${names[choice]}`}
      icon={icons[choice]}
      labelSide="end"
      onClick={() => chooseTheme(after(choice))}
    />
  )
}
