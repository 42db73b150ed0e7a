/** What an address says, as far as it can be taken at its word: anybody may have written it. */

export function oneOf<T extends string>(known: readonly T[], text: string | null): T | null {
  return known.find((one) => one === text) ?? null
}

/** A whole number from 1. */
export function positiveOf(text: string | null): number | null {
  const given = Number(text)
  return text !== null && Number.isSafeInteger(given) && given > 0 ? given : null
}

/** A day of the calendar, 'YYYY-MM-DD'. */
export function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}
