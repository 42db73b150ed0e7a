import type { StorageUse } from '@lyceum/contract/documents'
import type { Deps } from '../../deps.ts'
import { storageByChannel } from './storage-store.ts'

const listedAtMost = 500

/** Storage used by documents, largest channels first. The total includes channels that are not listed. */
export async function storageUse({ db }: Deps): Promise<StorageUse> {
  const rows = await storageByChannel(db)
  const total = { documents: 0, bytes: 0, passages: 0 }
  for (const { documents, bytes, passages } of rows) {
    total.documents += documents
    total.bytes += bytes
    total.passages += passages
  }
  const channels = rows
    .toSorted((a, b) => b.bytes - a.bytes || a.name.localeCompare(b.name))
    .slice(0, listedAtMost)
    .map(({ id, name, ...use }) => ({ channel: { _id: id, name }, ...use }))
  return { channels, total }
}
