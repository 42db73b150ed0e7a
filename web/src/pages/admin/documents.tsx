import { ArchiveX, ArrowLeft } from 'lucide-react'
import { DocumentFilters } from '#features/documents/review/DocumentFilters.tsx'
import { DocumentReview } from '#features/documents/review/DocumentReview.tsx'
import { useApprovals } from '#features/documents/review/use-approvals.ts'
import { reviewTabs, useDocumentView } from '#features/documents/review/use-document-view.ts'
import { useRefetchAfterUpload } from '#features/documents/upload/use-uploads.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { Button } from '#ui/Button.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Tabs } from '#ui/Tabs.tsx'

// Loaded on demand: many visits approve nothing.
const ApprovalNotice = lazyComponent(
  async () => (await import('#features/documents/review/ApprovalNotice.tsx')).ApprovalNotice,
)

/** The rows show the progress too. The failure is logged. */
function ignoreLoadError(): void {}

export function DocumentsPage() {
  const { view, updateView, isFiltered, clearFilters } = useDocumentView()
  const approvals = useApprovals()
  useRefetchAfterUpload()
  const { status } = view
  const list = (
    <div className="flex flex-col gap-5">
      <DocumentFilters view={view} isFiltered={isFiltered} onChange={updateView} onClear={clearFilters} />
      <DocumentReview view={view} onPage={(page) => updateView({ page })} onApproved={approvals.add} />
      <ApprovalNotice
        open={approvals.documents.length > 0}
        onLoadError={ignoreLoadError}
        props={{
          approvals,
          onShowApproved: status === 'approved' ? null : () => updateView({ status: 'approved' }),
        }}
      />
    </div>
  )
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-semibold text-2xl">Document Management</h1>
          {status === 'rejected' ? (
            <Button
              size="small"
              variant="ghost"
              className="max-sm:-ml-3"
              onClick={() => updateView({ status: 'pending' })}
            >
              <ArrowLeft aria-hidden="true" className="size-4" />
              Back to review
            </Button>
          ) : (
            <Button
              size="small"
              variant="ghost"
              className="max-sm:-ml-3"
              onClick={() => updateView({ status: 'rejected' })}
            >
              <ArchiveX aria-hidden="true" className="size-4" />
              Rejected documents
            </Button>
          )}
        </div>
        {status === 'rejected' ? (
          <>
            <h2 className="mb-3 font-semibold text-lg">Rejected documents</h2>
            {list}
          </>
        ) : (
          <Tabs
            label="Documents by status"
            tabs={reviewTabs}
            value={status}
            onChange={(next) => updateView({ status: next })}
          >
            {list}
          </Tabs>
        )}
      </div>
    </div>
  )
}
