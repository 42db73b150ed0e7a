import { DocumentFilters } from '#features/documents/review/DocumentFilters.tsx'
import { DocumentReview } from '#features/documents/review/DocumentReview.tsx'
import { reviewTabs, useDocumentView } from '#features/documents/review/use-document-view.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Tabs } from '#ui/Tabs.tsx'

export function DocumentsPage() {
  const { view, updateView, isFiltered, clearFilters } = useDocumentView()
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner className="top-28 px-4" />
      <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
        <h1 className="mb-3 font-semibold text-2xl">Document Management</h1>
        <Tabs
          label="Documents by status"
          tabs={reviewTabs}
          value={view.status}
          onChange={(status) => updateView({ status })}
        >
          <div className="flex flex-col gap-5">
            <DocumentFilters
              view={view}
              isFiltered={isFiltered}
              onChange={updateView}
              onClear={clearFilters}
            />
            <DocumentReview view={view} onPage={(page) => updateView({ page })} />
          </div>
        </Tabs>
      </div>
    </div>
  )
}
