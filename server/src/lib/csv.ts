// biome-ignore lint/suspicious/noControlCharactersInRegex: spreadsheets ignore leading control characters
const formula = /^[\u0009\u000d=+\-@＝＋－＠]/u

/** RFC 4180, without NUL. The leading apostrophe keeps spreadsheets from evaluating text as a formula. */
function formatCsvField(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value).replaceAll('\0', '')
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function formatCsvRow(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(formatCsvField).join(',')}\r\n`
}
