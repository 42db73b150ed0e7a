import type { Document } from '@lyceum/contract/documents'

export interface DocumentGroup {
  /** The channel's id where the server says it, else its name. */
  key: string
  name: string
  documents: Document[]
}

/** Documents by channel, the channel of the newest one first. */
export function groupByChannel(documents: readonly Document[]): DocumentGroup[] {
  const groups = new Map<string, DocumentGroup>()
  for (const document of documents) {
    const { _id, name } = document.channel
    const key = _id ?? name
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { key, name, documents: [document] })
    else group.documents.push(document)
  }
  return [...groups.values()]
}
