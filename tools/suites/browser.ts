import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { runTool } from '../command.ts'
import { playwright } from '../paths.ts'
import { canInstall, install } from './debian.ts'

// The headless shell has no window to draw, so it is the fastest.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Returns CHROMIUM_PATH, else the system's Chromium, else the one that Playwright installed. */
export function findBrowser(): string | null {
  const named = process.env['CHROMIUM_PATH']
  if (named) return named
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin']
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macPaths]
  const found = candidates.find(canRun)
  if (found) return found
  const own = chromium.executablePath()
  return existsSync(own) ? own : null
}

/** Installs a browser when there is none. */
export async function requireBrowser(): Promise<string> {
  const found = findBrowser()
  if (found) return found
  if (canInstall()) install('chromium-headless-shell')
  else await runTool(playwright, ['install', 'chromium'], { show: true })
  const installed = findBrowser()
  if (installed) return installed
  throw new Error('The journeys need Chromium: please install it, or set CHROMIUM_PATH to its executable.')
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
