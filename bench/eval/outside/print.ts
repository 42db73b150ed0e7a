import type { RankScores } from '../metrics.ts'
import { formatPercent, formatTable } from '../report.ts'
import type { OutsideScores } from './evaluate.ts'

function listFigures({ recall1, recall10, ndcg10 }: RankScores): string[] {
  return [recall1, recall10, ndcg10].map((figure) => figure.toFixed(3))
}

export function printOutside(scores: readonly OutsideScores[]): void {
  console.log(
    formatTable(
      'Public sets (by words only)',
      [
        ...['set', 'passages', 'n', 'R@1', 'R@10', 'nDCG@10', 'Lucene R@1', 'R@10', 'nDCG@10'],
        ...['refused', 'first quote', 'any quote', 'unanswerable: n', 'refused'],
      ],
      scores.map(({ set, passages, lyceum, lucene, refused, quotes, unanswerable }) => [
        ...[set, passages, lyceum.questions, ...listFigures(lyceum), ...listFigures(lucene)],
        ...[refused, quotes.first, quotes.any].map((count) => formatPercent(count, lyceum.questions)),
        ...[unanswerable.questions, formatPercent(unanswerable.refused, unanswerable.questions)],
      ]),
    ),
  )
}
