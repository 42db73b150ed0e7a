/** Where a request comes from, for counters, sessions and the audit log. */
export interface Client {
  ip: string
  userAgent: string
}
