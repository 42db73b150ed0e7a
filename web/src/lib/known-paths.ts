import { createContext, use } from 'react'

/** The paths of the route table, so that nothing links to a page that does not exist. */
export const KnownPaths = createContext<ReadonlySet<string>>(new Set())

export function usePathExists(): (path: string) => boolean {
  const paths = use(KnownPaths)
  return (path) => paths.has(path)
}
