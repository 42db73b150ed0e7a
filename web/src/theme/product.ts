const env = import.meta.env

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

const customLogo = readText(env['VITE_LOGO_URL'])

/** Build-time branding: the product's name, and its logos for light and dark surfaces. */
export const product = {
  name: readText(env['VITE_PRODUCT_NAME']) ?? 'Lyceum',
  logo: customLogo ?? '/logo.svg',
  logoDark: readText(env['VITE_LOGO_DARK_URL']) ?? customLogo ?? '/logo.svg',
  /** Our own logo has no text, so the name is shown beside it. A custom logo is shown alone. */
  showsName: customLogo === undefined,
}
