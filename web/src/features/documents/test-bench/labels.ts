import type { RetrievedPassage, TestRunSummary } from '@lyceum/contract/test-questions'
import { dateTime } from '#lib/date-time.ts'

function placed(rank: number | null): string {
  return rank === null ? 'not found' : `no. ${rank}`
}

/** Why a passage was found: its place by either way, where both were gone, and what they give together. */
export function reasonOf({ wordsRank, meaningRank, score }: RetrievedPassage, isByMeaning: boolean): string {
  return [
    `By words: ${placed(wordsRank)}`,
    ...(isByMeaning ? [`By meaning: ${placed(meaningRank)}`] : []),
    `Score ${score.toFixed(4)}`,
  ].join(' · ')
}

export function scoreOf({ found, total }: Pick<TestRunSummary, 'found' | 'total'>): string {
  return `${found.toLocaleString()} of ${total.toLocaleString()} found`
}

/** How a run did against an earlier one. */
export function differenceOf(now: TestRunSummary, earlier: TestRunSummary | undefined): string {
  if (!earlier) return 'The first run'
  const more = now.found - earlier.found
  if (more === 0) return 'As many as in the run before'
  return `${Math.abs(more).toLocaleString()} ${more > 0 ? 'more' : 'fewer'} than in the run before`
}

/** A run in one line, as lists of runs name it. */
export function runLabel(run: TestRunSummary): string {
  return [dateTime(run.ranAt), scoreOf(run), run.note].filter((part) => part !== '').join(' · ')
}
