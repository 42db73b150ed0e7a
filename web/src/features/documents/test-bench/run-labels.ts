import type { RetrievedPassage, TestRunSummary } from '@lyceum/contract/test-questions'
import { formatDateTime } from '#lib/date-time.ts'

function formatRank(rank: number | null): string {
  return rank === null ? 'not found' : `rank ${rank}`
}

/** A passage's rank in each search, and the score that combines them. */
export function describeRanks(
  { wordsRank, meaningRank, score }: RetrievedPassage,
  hasMeaningSearch: boolean,
): string {
  return [
    `Keywords: ${formatRank(wordsRank)}`,
    ...(hasMeaningSearch ? [`Meaning: ${formatRank(meaningRank)}`] : []),
    `Score ${score.toFixed(4)}`,
  ].join(' · ')
}

export function formatScore({ passed, total }: Pick<TestRunSummary, 'passed' | 'total'>): string {
  return `${passed.toLocaleString()} of ${total.toLocaleString()} passed`
}

/** Compares the score of a run with that of the previous one. */
export function describeDifference(current: TestRunSummary, previous: TestRunSummary | undefined): string {
  if (!previous) return 'First run'
  const difference = current.passed - previous.passed
  if (difference === 0) return 'Same as the previous run'
  return `${Math.abs(difference).toLocaleString()} ${difference > 0 ? 'more' : 'fewer'} than in the previous run`
}

/** Formats a run as an option of a select. */
export function formatRun(run: TestRunSummary): string {
  return [formatDateTime(run.ranAt), formatScore(run), run.note].filter((part) => part !== '').join(' · ')
}
