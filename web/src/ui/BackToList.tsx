import { ArrowLeft } from 'lucide-react'
import { restoreListPath } from '#lib/list-path.ts'
import { useNavigationState } from '#lib/router.tsx'
import { TextLink } from './TextLink.tsx'

/** Leads from an entry to its list, with the search and filters from which it was opened. */
export function BackToList({ path }: { path: string }) {
  const state = useNavigationState()
  return (
    <TextLink
      to={restoreListPath(path, state)}
      className="inline-flex items-center gap-1.5 self-start text-sm"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to the list
    </TextLink>
  )
}
