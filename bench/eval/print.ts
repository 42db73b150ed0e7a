import type { Results } from './evaluate.ts'
import type { RankScores } from './metrics.ts'
import { formatPercent, formatTable } from './report.ts'
import type { CitationScore } from './sets/citations.ts'
import type { RefusalScore } from './sets/refusals.ts'
import type { SecondCheckScore } from './sets/second-check.ts'

function createRankRow(name: string, scores: RankScores) {
  return [
    name,
    scores.questions,
    scores.recall5,
    scores.recall10,
    scores.recall20,
    scores.mrr10,
    scores.ndcg10,
  ]
}

function formatRetrieval({ faq, tables, followUps, faqAlone }: Results): string {
  return formatTable(
    'Retrieval (by words only unless stated otherwise)',
    ['set', 'n', 'recall@5', '@10', '@20', 'MRR@10', 'nDCG@10'],
    [
      createRankRow('FAQ among all texts', faq),
      createRankRow('table rows', tables),
      createRankRow('follow-ups, alone', followUps.alone),
      createRankRow('follow-ups, with the previous question', followUps.withContext),
      createRankRow('FAQ alone', faqAlone.words),
      createRankRow('FAQ alone, with hashed vectors (no meaning)', faqAlone.hashedVectors),
    ],
  )
}

function formatRefusals(scores: readonly RefusalScore[]): string {
  return formatTable(
    'Refused (wrong for answerable questions, right for the others)',
    ['set', 'setup', 'n', 'turn 1', 'turn 4'],
    scores.flatMap((score) => {
      if (score.turn === 4) return []
      const later = scores.find(
        ({ set, setup, turn }) => set === score.set && setup === score.setup && turn === 4,
      )
      return [
        [
          score.set,
          score.setup,
          score.questions,
          formatPercent(score.refused, score.questions),
          formatPercent(later?.refused ?? 0, score.questions),
        ],
      ]
    }),
  )
}

function formatCitations(scores: readonly CitationScore[]): string {
  return formatTable(
    'Citations (of scripted models, after our checks)',
    ['model', 'channel', 'answers', 'written', 'shown', 'invalid', 'supported'],
    scores.map(({ style, channel, answers, written, shown, invalid, supported }) => [
      style,
      channel,
      answers,
      written,
      shown,
      invalid,
      formatPercent(supported, shown),
    ]),
  )
}

function formatSecondCheck(scores: readonly SecondCheckScore[]): string {
  return formatTable(
    'Second check of citations (by a scripted model)',
    ['judge', 'channel', 'answers', 'shown', 'checks', 'tokens of answers', 'tokens of checks'],
    scores.map(({ judge, channel, answers, shown, checks, answerTokens, checkTokens }) => [
      ...[judge, channel],
      ...[answers, shown, checks, answerTokens, checkTokens],
    ]),
  )
}

function formatLines({ corpus, faq, tables, quotations, injections, leaks, broken }: Results): string[] {
  const leaked = Object.entries(leaks.leaks).map(([state, count]) => `${state} ${count}`)
  return [
    `\nCorpus: ${corpus.documents} documents, ${corpus.passages} passages, ${corpus.questions} questions of the FAQ.`,
    `Gold text in a prompt: ${formatPercent(faq.goldShown, 1)}.`,
    `Table rows missing from all passages: ${tables.rowsLost} of ${tables.questions}.`,
    `Retrieval: median ${faq.medianMs.toFixed(1)} ms, 95th percentile ${faq.p95Ms.toFixed(1)} ms.`,
    `Quotations without a model: ${quotations.shown} in ${quotations.answers} answers, ${quotations.invalid} invalid.`,
    `Injections obeyed: ${injections.open} of ${injections.tried} in open channels, ${injections.strict} of ${injections.tried} in strict ones.`,
    `Leaks in ${leaks.asked} questions: ${leaked.join(', ')}; allowed answers found ${leaks.controlsFound} of ${leaks.controls}.`,
    broken.length === 0 ? 'No guarantee was broken.' : `BROKEN: ${broken.join(' ')}`,
  ]
}

export function printResults(results: Results): void {
  console.log(formatRetrieval(results))
  console.log(formatRefusals(results.refusals))
  console.log(formatCitations(results.citations))
  console.log(formatSecondCheck(results.secondCheck))
  for (const line of formatLines(results)) console.log(line)
}
