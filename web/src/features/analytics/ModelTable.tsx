import type { UsageModel } from '@lyceum/contract/analytics'
import { Card } from '#ui/Card.tsx'
import { Table } from '#ui/Table.tsx'
import { ExportButton } from './ExportButton.tsx'
import { figureColumns } from './figure-columns.ts'
import type { Scope } from './queries.ts'

/** Two of the stored names are not models. */
function formatModel(model: string): string {
  return model === '' ? 'No model used' : model === 'extractive' ? 'Passages quoted without a model' : model
}

export function ModelTable({ models, scope }: { models: readonly UsageModel[]; scope: Scope }) {
  return (
    <section aria-label="Models" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold text-lg">Models</h2>
        <ExportButton table="models" name="models" scope={scope} />
      </div>
      <Card flush>
        <Table
          caption="Models"
          columns={[
            {
              header: 'Model',
              isRowHeader: true,
              hidesHeader: true,
              card: 'title',
              cell: ({ model }: UsageModel) => <span className="wrap-anywhere">{formatModel(model)}</span>,
            },
            ...figureColumns,
          ]}
          rows={models}
          getKey={({ model }) => model}
          empty={<p className="px-4 py-6 text-center text-muted text-sm">No replies in this period.</p>}
        />
      </Card>
    </section>
  )
}
