export function userPath(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`
}
