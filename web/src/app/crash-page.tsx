import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'

/** Shown when a page fails unexpectedly. */
function CrashPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 bg-surface px-6 text-center">
      <TriangleAlert aria-hidden="true" className="size-10 text-warning" strokeWidth={1.5} />
      <h1 className="font-semibold text-2xl">Unexpected Application Error!</h1>
      <p className="max-w-md text-muted">
        Something went wrong while showing this page. Messages you already sent are saved.
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Button variant="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
        <Button onClick={() => location.assign('/')}>Go to the home page</Button>
      </div>
    </main>
  )
}

interface Props {
  children: ReactNode
}

/** Catches errors thrown while a page renders and failures to load its code. */
export class CrashBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <CrashPage /> : this.props.children
  }
}
