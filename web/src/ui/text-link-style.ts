/** An underlined link within text. */
export const textLinkStyle =
  'rounded-sm font-medium text-link underline decoration-link/35 underline-offset-4 hover:decoration-link'
