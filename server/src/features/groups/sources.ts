import { byHand } from './member-store.ts'

/** What the server knows about the sources of a membership or an access, as the screens show it. */
export function presentSources(sources: readonly string[], issuerNames: ReadonlyMap<string, string>) {
  return {
    isByHand: sources.includes(byHand),
    issuers: sources.flatMap((source) => {
      if (!source.startsWith('issuer:')) return []
      const id = source.slice('issuer:'.length)
      return [{ _id: id, name: issuerNames.get(id) ?? id }]
    }),
  }
}
