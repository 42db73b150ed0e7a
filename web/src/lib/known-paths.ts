import { createContext, use } from 'react'

/** The paths of all routes. Links to other paths are not rendered. */
export const KnownPaths = createContext<ReadonlySet<string>>(new Set())

export function usePathExists(): (path: string) => boolean {
  const paths = use(KnownPaths)
  return (path) => paths.has(path)
}
