/** How a source supports a claim. */
export interface Support {
  claimed: ReadonlySet<string>
  /** The terms of the claim that the source has, and those that stand together there. */
  found: ReadonlySet<string>
  together: ReadonlySet<string>
  /** Share of neighboring terms of the claim that are neighbors in the source, too. */
  order: number
}

/** A window of the source is longer than the claim, because a model shortens what it repeats. */
const windowShare = 1.5
const minWindow = 12

/** Finds the part of a source with the most of a claim's terms, by weight. */
function findBestWindow(
  source: readonly string[],
  claimed: ReadonlySet<string>,
  weigh: (term: string) => number,
): Set<string> {
  const length = Math.max(minWindow, Math.round(claimed.size * windowShare))
  const counts = new Map<string, number>()
  let [covered, most, bestEnd] = [0, 0, 0]
  function count(term: string | undefined, change: 1 | -1): void {
    if (term === undefined || !claimed.has(term)) return
    const before = counts.get(term) ?? 0
    counts.set(term, before + change)
    if (Math.min(before, before + change) === 0) covered += change * weigh(term)
  }
  for (const [at, term] of source.entries()) {
    count(source[at - length], -1)
    count(term, 1)
    if (covered <= most) continue
    most = covered
    bestEnd = at + 1
  }
  return new Set(source.slice(Math.max(0, bestEnd - length), bestEnd).filter((term) => claimed.has(term)))
}

/** The terms of a text in order. */
export interface OrderedTerms {
  terms: readonly string[]
  distinct: ReadonlySet<string>
  /** Each term with the one before. */
  neighbors: ReadonlySet<string>
}

export function orderTerms(terms: readonly string[]): OrderedTerms {
  return {
    terms,
    distinct: new Set(terms),
    neighbors: new Set(terms.slice(1).map((term, at) => `${terms[at]} ${term}`)),
  }
}

export function measureSupport(
  claim: OrderedTerms,
  source: OrderedTerms,
  weigh: (term: string) => number,
): Support {
  let kept = 0
  for (const pair of claim.neighbors) if (source.neighbors.has(pair)) kept += 1
  return {
    claimed: claim.distinct,
    found: new Set([...claim.distinct].filter((term) => source.distinct.has(term))),
    together: findBestWindow(source.terms, claim.distinct, weigh),
    order: claim.neighbors.size === 0 ? 0 : kept / claim.neighbors.size,
  }
}

function sumWeights(terms: ReadonlySet<string>, weigh: (term: string) => number): number {
  let sum = 0
  for (const term of terms) sum += weigh(term)
  return sum
}

/** The share of a claim's terms, by weight, that sources have, anywhere or in their best windows. */
export function computeCoverage(
  supports: readonly Support[],
  where: 'found' | 'together',
  weigh: (term: string) => number,
): number {
  const claimed = new Set(supports.flatMap((support) => [...support.claimed]))
  const covered = new Set(supports.flatMap((support) => [...support[where]]))
  return claimed.size === 0 ? 0 : sumWeights(covered, weigh) / sumWeights(claimed, weigh)
}
