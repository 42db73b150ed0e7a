import type { UsageFigures } from '@lyceum/contract/analytics'
import type { Column } from '#ui/Table.tsx'
import { percent, shortNumber, wait } from './figure-labels.ts'

/** What channels and models are compared by. */
export const figureColumns: readonly Column<UsageFigures>[] = [
  { header: 'Replies', align: 'end', cell: ({ replies }) => replies.toLocaleString() },
  { header: 'Refused', align: 'end', cell: ({ refusals, replies }) => percent(refusals, replies) },
  { header: 'Failed', align: 'end', cell: ({ failures, replies }) => percent(failures, replies) },
  {
    header: 'Tokens',
    align: 'end',
    cell: ({ inputTokens, outputTokens }) => shortNumber(inputTokens + outputTokens),
  },
  {
    header: 'First word (half, 95 %)',
    align: 'end',
    cell: ({ firstWordP50, firstWordP95 }) =>
      firstWordP50 === null ? '–' : `${wait(firstWordP50)}, ${wait(firstWordP95)}`,
  },
  { header: 'Satisfied', align: 'end', cell: ({ good, bad }) => percent(good, good + bad) },
]
