import type { RankScores } from '../metrics.ts'
import { formatPercent, formatTable } from '../report.ts'
import type { LanguageScores } from './evaluate.ts'

function listFigures({ recall1, recall10, mrr10, ndcg10 }: RankScores): string[] {
  return [recall1, recall10, mrr10, ndcg10].map((figure) => figure.toFixed(3))
}

function formatRanks(scores: readonly LanguageScores[]): string {
  return formatTable(
    'Retrieval (by words only)',
    [
      ...['language', 'pages', 'passages', 'n', 'R@1', 'R@10', 'MRR@10', 'nDCG@10'],
      ...['Lucene R@1', 'R@10', 'MRR@10', 'nDCG@10'],
    ],
    scores.flatMap(({ language, pages, passages, ranks, ranksWithoutMarks }) =>
      [
        { name: language, compared: ranks },
        { name: `${language}, without marks`, compared: ranksWithoutMarks },
      ].flatMap(({ name, compared }) =>
        compared === null
          ? []
          : [
              [
                ...[name, pages, passages, compared.lyceum.questions],
                ...listFigures(compared.lyceum),
                ...listFigures(compared.lucene),
              ],
            ],
      ),
    ),
  )
}

function formatReplies(scores: readonly LanguageScores[]): string {
  return formatTable(
    'Replies (a refusal is wrong for answerable questions, right for the others)',
    [
      ...['language', 'page in the prompt', 'first quote', 'any quote'],
      ...['refused: answerable', 'unrelated', 'near misses'],
    ],
    scores.map(({ language, inPrompt, quotes, refusals: { answerable, unrelated, nearMisses } }) => [
      language,
      ...[inPrompt, quotes.first, quotes.any].map((count) => formatPercent(count, answerable.questions)),
      ...[answerable, unrelated, nearMisses].map(({ refused, questions }) =>
        formatPercent(refused, questions),
      ),
    ]),
  )
}

export function printLanguages(scores: readonly LanguageScores[]): void {
  console.log(formatRanks(scores))
  console.log(formatReplies(scores))
}
