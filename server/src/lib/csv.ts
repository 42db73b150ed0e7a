const formulaStarts = '=+\\-@＝＋－＠'
/** Spreadsheets ignore leading control characters. */
const formula = new RegExp(`^[\\t\\n\\r;${formulaStarts}]`, 'u')
/**
 * Where the list separator is a semicolon, spreadsheets split a row at semicolons and do not honor the quotes, so that a
 * cell can begin in the middle of a field. Hyphens that begin a line are left alone, because they begin items of lists.
 */
const formulaInside = new RegExp(`([;\\t])(?=[${formulaStarts}])|([\\r\\n])(?=[=+@＝＋＠])`, 'gu')

/** RFC 4180, without NUL. The apostrophes keep spreadsheets from evaluating text as a formula. */
function formatCsvField(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = value.replaceAll('\0', '').replace(formulaInside, "$&'")
  const safe = formula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function formatCsvRow(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(formatCsvField).join(',')}\r\n`
}
