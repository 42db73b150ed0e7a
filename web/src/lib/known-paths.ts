import { createContext, use } from 'react'

/** The paths of all routes. Components with navigation links check `usePathExists` and hide links to other paths. */
export const KnownPaths = createContext<ReadonlySet<string>>(new Set())

export function usePathExists(): (path: string) => boolean {
  const paths = use(KnownPaths)
  return (path) => paths.has(path)
}
