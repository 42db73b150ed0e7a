import type { RankScores } from '../metrics.ts'
import { formatPercent, formatTable } from '../report.ts'
import type { ClaimShare } from './claims.ts'
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

function formatConversations(scores: readonly LanguageScores[]): string {
  return formatTable(
    'After an earlier question (answerable questions after one about something else)',
    ['language', 'n', 'R@1', 'R@10', 'MRR@10', 'nDCG@10', 'unrelated, refused'],
    scores.map(({ language, conversations: { ranks, unrelated } }) => [
      ...[language, ranks.questions],
      ...listFigures(ranks),
      formatPercent(unrelated.refused, unrelated.questions),
    ]),
  )
}

function formatFollowUps(scores: readonly LanguageScores[]): string {
  return formatTable(
    'Follow-up questions (by their own words, and together with the earlier question)',
    [
      ...[
        'language',
        'n',
        'alone R@1',
        'R@10',
        'MRR@10',
        'nDCG@10',
        'together R@1',
        'R@10',
        'MRR@10',
        'nDCG@10',
      ],
      ...['page in the prompt', 'any quote', 'refused'],
    ],
    scores.flatMap(({ language, conversations: { followUps } }) =>
      followUps === null
        ? []
        : [
            [
              ...[language, followUps.ranks.questions],
              ...listFigures(followUps.alone),
              ...listFigures(followUps.ranks),
              ...[followUps.inPrompt, followUps.quoted, followUps.refused].map((count) =>
                formatPercent(count, followUps.ranks.questions),
              ),
            ],
          ],
    ),
  )
}

function formatClaims(scores: readonly LanguageScores[]): string {
  function formatShare({ accepted, claims }: ClaimShare): string {
    return formatPercent(accepted, claims)
  }
  return formatTable(
    'Citations that our checks accept (right for the first four, wrong for the others)',
    [
      ...['language', 'claims', 'verbatim', 'reworded', 'joined', 'with the question', 'all four'],
      ...['neighbor', 'other document', 'not in the sources'],
    ],
    scores.map(({ language, claims: { right, neighbor, other, unseen } }) => {
      const shares = Object.values(right)
      const claims = shares.reduce((sum, share) => sum + share.claims, 0)
      const accepted = shares.reduce((sum, share) => sum + share.accepted, 0)
      return [
        language,
        claims,
        ...[...shares, { claims, accepted }, neighbor, other, unseen].map(formatShare),
      ]
    }),
  )
}

function formatLearnedLimits(scores: readonly LanguageScores[]): string {
  return formatTable(
    'Limits that a channel learns from one half of the questions, tried on the other',
    ['language', 'learned from', 'limit', 'refused: answerable', 'unrelated'],
    scores.flatMap(({ language, learnedLimits }) =>
      learnedLimits.map(({ learnedFrom, minMatch, answerable, unrelated }) => [
        ...[language, learnedFrom, minMatch ?? 'none'],
        ...[answerable, unrelated].map(({ refused, questions }) => formatPercent(refused, questions)),
      ]),
    ),
  )
}

export function printLanguages(scores: readonly LanguageScores[]): void {
  console.log(formatRanks(scores))
  console.log(formatReplies(scores))
  console.log(formatLearnedLimits(scores))
  console.log(formatConversations(scores))
  console.log(formatFollowUps(scores))
  console.log(formatClaims(scores))
}
