import type { RetrievedPassage, TestRunSummary } from '@lyceum/contract/test-questions'
import { dateTime } from '#lib/date-time.ts'

const placed = (rank: number | null): string => (rank === null ? 'not found' : `no. ${rank}`)

/** Why a passage was found: its place by either way, where both were gone, and what they give together. */
export const reasonOf = ({ wordsRank, meaningRank, score }: RetrievedPassage, isByMeaning: boolean): string =>
  [
    `By words: ${placed(wordsRank)}`,
    ...(isByMeaning ? [`By meaning: ${placed(meaningRank)}`] : []),
    `Score ${score.toFixed(4)}`,
  ].join(' · ')

export const scoreOf = ({ found, total }: Pick<TestRunSummary, 'found' | 'total'>): string =>
  `${found.toLocaleString()} of ${total.toLocaleString()} found`

/** How a run did against an earlier one. */
export const differenceOf = (now: TestRunSummary, earlier: TestRunSummary | undefined): string => {
  if (!earlier) return 'The first run'
  const more = now.found - earlier.found
  if (more === 0) return 'As many as in the run before'
  return `${Math.abs(more).toLocaleString()} ${more > 0 ? 'more' : 'fewer'} than in the run before`
}

/** A run in one line, as lists of runs name it. */
export const runLabel = (run: TestRunSummary): string =>
  [dateTime(run.ranAt), scoreOf(run), run.note].filter((part) => part !== '').join(' · ')
