import { type AnalyticsTable, analyticsApi, type QuestionState } from '@lyceum/contract/analytics'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { type Scope, toScopeQuery } from './queries.ts'

interface Props {
  table: AnalyticsTable
  /** The table's name in the button's label. */
  name: string
  scope: Scope
  state?: QuestionState
}

/** Downloads all rows of a table as a CSV file. */
export function ExportButton({ table, name, scope, state = 'open' }: Props) {
  const mutation = useMutation({
    mutationFn: () => call(analyticsApi.export, { query: { ...toScopeQuery(scope), table, state } }),
    onSuccess: (file) => {
      saveFile(file, `${table}-${scope.from}-to-${scope.to}.csv`)
      banner.success(texts.analytics.export.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.analytics.export.failed)),
  })
  return (
    <Button busy={mutation.isPending} aria-label={`Export ${name} as CSV`} onClick={() => mutation.mutate()}>
      {!mutation.isPending && <Download aria-hidden="true" className="size-4" />}
      CSV
    </Button>
  )
}
