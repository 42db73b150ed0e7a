import { byHand } from './member-store.ts'

const issuerPrefix = 'issuer:'
const directoryPrefix = 'directory:'

/** The source of what a directory gives. */
export function getDirectorySource(directoryId: string): string {
  return `${directoryPrefix}${directoryId}`
}

/** The names of issuers and directories by their sources. */
export type SourceNames = ReadonlyMap<string, string>

/** What the server knows about the sources of a membership or an access, as the screens show it. */
export function presentSources(sources: readonly string[], names: SourceNames) {
  const directory = sources.find((source) => source.startsWith(directoryPrefix))
  return {
    isByHand: sources.includes(byHand),
    issuers: sources.flatMap((source) => {
      if (!source.startsWith(issuerPrefix)) return []
      const id = source.slice(issuerPrefix.length)
      return [{ _id: id, name: names.get(source) ?? id }]
    }),
    ...(directory !== undefined && { directory: names.get(directory) ?? 'a directory' }),
  }
}
