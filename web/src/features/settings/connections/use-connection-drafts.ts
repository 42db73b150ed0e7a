import type { ConnectionPart } from '@lyceum/contract/connections'
import { useCallback, useState } from 'react'

/** Entries that differ from what is stored, as JSON. */
type Drafts = Partial<Record<ConnectionPart, string>>

const noDraft = '{}'

export interface ConnectionDrafts {
  read: (part: ConnectionPart) => Record<string, unknown>
  keep: (part: ConnectionPart, draft: Record<string, unknown>) => void
}

/** Keeps unsaved entries while another section of the settings is shown. */
export function useConnectionDrafts(): ConnectionDrafts & { isChanged: boolean } {
  const [drafts, setDrafts] = useState<Drafts>({})
  const keep = useCallback((part: ConnectionPart, draft: Record<string, unknown>): void => {
    const text = JSON.stringify(draft)
    setDrafts((previous) => (previous[part] === text ? previous : { ...previous, [part]: text }))
  }, [])
  return {
    read: (part) => JSON.parse(drafts[part] ?? noDraft),
    keep,
    isChanged: Object.values(drafts).some((draft) => draft !== noDraft),
  }
}
