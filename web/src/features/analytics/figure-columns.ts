import type { UsageFigures } from '@lyceum/contract/analytics'
import type { Column } from '#ui/Table.tsx'
import { formatDuration, formatNumber, formatPercentage } from './format-figures.ts'

/** The columns that the tables of channels and models share. */
export const figureColumns: readonly Column<UsageFigures>[] = [
  { header: 'Replies', align: 'end', card: 'detail', cell: ({ replies }) => replies.toLocaleString() },
  {
    header: 'Refused',
    align: 'end',
    card: 'detail',
    cell: ({ refusals, replies }) => formatPercentage(refusals, replies),
  },
  {
    header: 'Failed',
    align: 'end',
    card: 'detail',
    cell: ({ failures, replies }) => formatPercentage(failures, replies),
  },
  {
    header: 'Tokens',
    align: 'end',
    hideBelow: 'md',
    card: 'lastDetail',
    cell: ({ inputTokens, outputTokens }) => formatNumber(inputTokens + outputTokens),
  },
  {
    header: 'First word (median, p95)',
    align: 'end',
    hideBelow: 'lg',
    card: 'line',
    cell: ({ firstWordP50, firstWordP95 }) =>
      firstWordP50 === null ? '–' : `${formatDuration(firstWordP50)}, ${formatDuration(firstWordP95)}`,
  },
  {
    header: 'Satisfied',
    align: 'end',
    card: 'lastDetail',
    cell: ({ good, bad }) => formatPercentage(good, good + bad),
  },
]
