import { type DocumentKind, documentKinds } from '@lyceum/contract/documents'

/** What a file calls itself by the end of its name; null when that is no document. */
export const kindOf = ({ name }: File): DocumentKind | null => {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return documentKinds.find((kind) => kind === extension) ?? null
}
