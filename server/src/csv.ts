// biome-ignore lint/suspicious/noControlCharactersInRegex: a control character in front hides a formula
const formula = /^[\u0009\u000d=+\-@＝＋－＠]/u

/** One value: RFC 4180, without NUL, and never read as a formula by a spreadsheet. */
function csvField(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value).replaceAll('\0', '')
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvRow(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}
