export function groupPath(id: string): string {
  return `/admin/groups/${encodeURIComponent(id)}`
}
