const given = import.meta.env

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

const ownLogo = text(given['VITE_LOGO_URL'])

/** What an operator sets at build time: the product's name and its logo for light and dark surfaces. */
export const product = {
  name: text(given['VITE_PRODUCT_NAME']) ?? 'Lyceum',
  logo: ownLogo ?? '/logo.svg',
  logoDark: text(given['VITE_LOGO_DARK_URL']) ?? ownLogo ?? '/logo.svg',
  /** Our own mark carries no words, so the name is written beside it; an operator's logo stands alone. */
  showsName: ownLogo === undefined,
}
