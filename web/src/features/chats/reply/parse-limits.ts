/**
 * Limits that keep the work for a reply bounded, whatever its text. Costs are counted in units: a unit is about one
 * element, which takes 0.05 to 0.15 ms to parse, render and lay out. The Markdown parser needs quadratic time for some
 * marks, so a single block gets less than the whole reply.
 */
export const maxBlockCost = 1_500
/** A reply of 30,000 tokens with tables, code and formulas costs about 14,000. */
export const maxReplyCost = 20_000

const baseCost = 4
const lineCost = 2
const charactersPerUnit = 100
const codeLineCost = 0.4
/** A block of code has a heading with a button. */
const codeCost = 20

/** Everything that can become an element or makes the parser search: marks, nested list items, addresses. */
const marks = /[*_~]{1,2}|`+|[[\]<>|&@\\$]|[-+*\d.)](?=[ \t])|:\/\/|www\.|(?:mailto|xmpp):/gi
const deepNesting = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){50}|^[ \t]{120,}(?:[-*+]|\d{1,9}[.)])[ \t]/
const notInDelimiterRow = /[^\s>|:-]/
/** No real address is longer, and the parser compares each `&` in an address with all that follows. */
const longAddress = /(?::\/\/|www\.)\S{2000}/i

/** Whether a line is nested too deeply. It becomes a block of its own, so that its neighbors are still formatted. */
export function isTooDeep(line: string): boolean {
  return deepNesting.test(line)
}

/** The part of a block, in whole lines, that can be formatted within a budget. */
interface Affordable {
  length: number
  cost: number
}

function measureLines(
  text: string,
  budget: number,
  firstCost: number,
  measureLine: (line: string) => number,
): Affordable {
  let cost = firstCost
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    const next = cost + measureLine(text.slice(at, end)) + (end - at) / charactersPerUnit
    if (next > budget) return at === 0 ? { length: 0, cost: 0 } : { length: at, cost }
    cost = next
    at = end
  }
  return { length: text.length, cost }
}

/** Measures a block of code, which becomes a single text node. */
export function measureCode(text: string, budget: number): Affordable {
  return measureLines(text, budget, codeCost, () => codeLineCost)
}

/** Measures Markdown. A table row costs as much as a full one, because the parser adds the missing cells. */
export function measureMarkdown(text: string, budget: number): Affordable {
  let columns = 0
  return measureLines(text, budget, baseCost, (line) => {
    if (isTooDeep(line) || longAddress.test(line)) return Number.POSITIVE_INFINITY
    if (line.trim() === '') columns = 0
    else if (!notInDelimiterRow.test(line)) columns = Math.max(columns, line.split('|').length)
    return lineCost + Math.max(line.match(marks)?.length ?? 0, columns)
  })
}
