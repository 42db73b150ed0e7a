// Values in the URL may be malformed: users can edit it.

export function parseOneOf<T extends string>(known: readonly T[], text: string | null): T | null {
  return known.find((one) => one === text) ?? null
}

/** A whole number of at least 1, or null. */
export function parsePositiveInt(text: string | null): number | null {
  const value = Number(text)
  return text !== null && Number.isSafeInteger(value) && value > 0 ? value : null
}

/** A calendar day, 'YYYY-MM-DD', or null. */
export function parseDay(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}
