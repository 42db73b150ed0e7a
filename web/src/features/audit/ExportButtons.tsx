import { auditApi } from '@lyceum/contract/audit'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { download } from '#api/download.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { toFilters } from './queries.ts'
import type { AuditView } from './use-audit-view.ts'

const formats = { csv: 'CSV', jsonl: 'JSON Lines' } as const
type Format = keyof typeof formats

interface Props {
  view: AuditView
  isEmpty: boolean
}

/** Exports all entries that match the filters and shows how much has been received so far. */
export function ExportButtons({ view, isEmpty }: Props) {
  const refusal = isEmpty ? texts.audit.export.empty : undefined
  const [bytes, setBytes] = useState(0)
  const exporting = useMutation({
    mutationFn: (format: Format) =>
      download(auditApi.export, { query: { ...toFilters(view), format } }, { onProgress: setBytes }),
    onMutate: () => setBytes(0),
    onSuccess: (file, format) => {
      saveFile(file, `audit-log.${format}`)
      banner.success(texts.audit.export.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.audit.export.failed)),
  })
  const running = exporting.isPending ? exporting.variables : null

  function start(format: Format): void {
    if (running !== null) return
    refusal === undefined ? exporting.mutate(format) : banner.error(refusal)
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-muted text-sm tabular-nums empty:-mr-2">
        {running !== null && (bytes === 0 ? 'Preparing…' : formatFileSize(bytes))}
      </span>
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button
          key={format}
          busy={running === format}
          aria-label={`Export as ${formats[format]}`}
          title={refusal}
          aria-description={refusal}
          aria-disabled={isEmpty || running !== null}
          onClick={() => start(format)}
        >
          {running !== format && <Download aria-hidden="true" className="size-4" />}
          {formats[format]}
        </Button>
      ))}
    </div>
  )
}
