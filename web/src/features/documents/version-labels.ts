import { type Document, isIndexing, type VersionState } from '@lyceum/contract/documents'

/** What a document with several versions is a version of, and which one answers meanwhile; null for the only one. */
export function versionWords({ version, answering, status, index }: Document): string | null {
  const { number, count } = version
  if (count === 1) return null
  const place = `Version ${number} of ${count}`
  if (answering === null || answering.number === number) return place
  const until =
    status === 'pending' ? ' until this is approved' : isIndexing(index.state) ? ' until this is indexed' : ''
  return `${place} · version ${answering.number} is answering${until}`
}

/** Whether what is shown is the proposal itself, and not what somebody has put in its place since. */
export function isProposed({ isProposal, version }: Document): boolean {
  return isProposal && version.number === 1
}

/** What becomes of the present version when another is uploaded. */
export function replacementWords({ version, answering, status }: Document): string {
  if (answering !== null)
    return `Version ${answering.number} goes on answering until the new version is approved and indexed.`
  const approval = 'The new version waits for approval before the assistant uses it.'
  return status === 'pending'
    ? `It takes the place of version ${version.number}, which has not been reviewed. ${approval}`
    : approval
}

export const versionStateWords: Record<VersionState, string> = {
  pending: 'Pending',
  approved: 'Approved',
  answering: 'Answering',
  superseded: 'Replaced',
  rejected: 'Rejected',
}
