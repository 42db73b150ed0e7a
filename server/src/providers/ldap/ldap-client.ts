import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { Client } from 'ldapts'
import { guardedLookup } from '../outgoing/guarded-lookup.ts'
import { LdapError, toLdapError } from './ldap-error.ts'

/** Milliseconds for all requests of one operation. */
const directoryTimeout = 5000

export interface LdapConnection {
  /** `ldaps:` uses TLS from the start, `ldap:` with StartTLS. Nothing is ever sent without TLS. */
  url: string
  /** Certificates in PEM to trust instead of those of the system, or ''. */
  certificate: string
  bindDn: string
  bindPassword: string
  baseDn: string
  /** An LDAP filter that users must match. */
  userFilter: string
  emailAttribute: string
}

function createTlsOptions({ url, certificate }: LdapConnection): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    lookup: guardedLookup,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificate === '' ? {} : { ca: certificate }),
  }
}

/** Runs requests on a connection of their own, as the bind account. */
export async function withDirectory<R>(
  connection: LdapConnection,
  run: (client: Client) => Promise<R>,
): Promise<R> {
  const tlsOptions = createTlsOptions(connection)
  const usesStartTls = new URL(connection.url).protocol === 'ldap:'
  const sockets: Socket[] = []
  function track<S extends Socket>(socket: S): S {
    sockets.push(socket)
    return socket
  }
  const client = new Client({
    url: connection.url,
    timeout: directoryTimeout,
    connectTimeout: directoryTimeout,
    // With these options, the library would use TLS from the start.
    ...(usesStartTls ? {} : { tlsOptions }),
    createConnection: ((port: number, host: string) =>
      track(connect({ port, host, lookup: guardedLookup }))) as typeof connect,
    createSecureConnection: ((...args: Parameters<typeof connectTls>) =>
      track(connectTls(...args))) as typeof connectTls,
  })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new LdapError('unreachable', 'The directory did not answer within 5 seconds.')),
    directoryTimeout,
  )
  async function runBound(): Promise<R> {
    if (usesStartTls) await client.startTLS(tlsOptions)
    await client.bind(connection.bindDn, connection.bindPassword)
    return run(client)
  }
  try {
    return await Promise.race([runBound(), late.promise])
  } catch (error) {
    throw toLdapError(error, new URL(connection.url).host)
  } finally {
    clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
  }
}
