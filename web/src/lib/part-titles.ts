import type { StatusPart } from '@lyceum/contract/status'

/** The names of the parts, on Status and on the admin home. */
export const partTitles: Record<StatusPart, string> = {
  mail: 'Email',
  model: 'Language models',
  embeddings: 'Embeddings',
  reranking: 'Reranker',
  search: 'Search',
  storage: 'Storage',
  database: 'Database',
  backups: 'Backups',
  'audit-stream': 'Audit log receivers',
  webhooks: 'Webhooks',
}
