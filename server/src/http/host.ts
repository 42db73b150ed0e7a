import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Proxies disagree on which of several hosts counts, so a request with more than one is refused, as RFC 9112 requires. */
export async function requireOneHost({ raw }: FastifyRequest): Promise<void> {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw new AppError('request.malformed')
}
