import { type Document, isIndexing, type VersionState } from '@lyceum/contract/documents'

/** Says which version this is and which one the assistant uses in the meantime. Null if there is only one. */
export function formatVersion({ version, answering, status, index }: Document): string | null {
  const { number, count } = version
  if (count === 1) return null
  const position = `Version ${number} of ${count}`
  if (answering === null || answering.number === number) return position
  const until =
    status === 'pending' ? ' until this is approved' : isIndexing(index.state) ? ' until this is indexed' : ''
  return `${position} · version ${answering.number} stays in use${until}`
}

/** Whether this is the member's proposal itself. Later versions are uploaded by administrators. */
export function isProposed({ isProposal, version }: Document): boolean {
  return isProposal && version.number === 1
}

/** Says what happens to the current version when another one is uploaded. */
export function describeReplacement({ version, answering, status }: Document): string {
  if (answering !== null)
    return `Version ${answering.number} stays in use until the new version is approved and indexed.`
  const approval = 'The new version needs approval before the assistant uses it.'
  return status === 'pending'
    ? `It replaces version ${version.number}, which has not been reviewed. ${approval}`
    : approval
}

export const versionStateLabels: Record<VersionState, string> = {
  pending: 'Pending',
  approved: 'Approved',
  answering: 'In use',
  superseded: 'Replaced',
  rejected: 'Rejected',
}
