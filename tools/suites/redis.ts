import { requireProgram } from '../peers/process.ts'

/** Runs once before the tests on Redis, each of which starts a server with the program that TEST_REDIS_SERVER names. */
export function setup(): void {
  if (process.env['TEST_REDIS_SERVER']) return
  try {
    process.env['TEST_REDIS_SERVER'] = requireProgram('redis-server')
  } catch (error) {
    // Only the tests on Redis fail then, and say why.
    process.env['TEST_REDIS_FAULT'] = (error as Error).message
  }
}
