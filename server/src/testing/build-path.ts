import type { EndpointShape } from '@lyceum/contract/endpoint'

/** Fills the parameters and query into an endpoint's path. */
export function buildPath(
  endpoint: EndpointShape,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`
}
