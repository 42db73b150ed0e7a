import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../server/src/testing/spawn-server.ts'
import { startPeer } from '../peers/process.ts'
import { requireVersityGateway } from '../peers/versity-gateway.ts'

let stopServer: () => Promise<void> = async () => {}

/**
 * Runs once before the tests on S3. Uses the server named by TEST_S3_URL, with the credentials of AWS's variables;
 * without it, starts a server for this run and removes it afterwards.
 */
export async function setup(): Promise<void> {
  // The AWS client must not look for credentials in the network.
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
  if (process.env['TEST_S3_URL']) return
  const program = findProgram()
  if (program === null) return
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-s3-'))
  const address = `127.0.0.1:${await findFreePort()}`
  const [id, secret] = [randomBytes(10).toString('hex'), randomBytes(20).toString('hex')]
  const server = await startPeer(
    program,
    ['--port', address, 'posix', folder],
    () =>
      fetch(`http://${address}`).then(
        () => true,
        () => false,
      ),
    { ROOT_ACCESS_KEY: id, ROOT_SECRET_KEY: secret },
  )
  const settings = {
    TEST_S3_URL: `http://${address}`,
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
  }
  Object.assign(process.env, settings)
  stopServer = async () => {
    for (const name of Object.keys(settings)) delete process.env[name]
    stopServer = async () => {}
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Without the program, only the tests on S3 fail, and say why. */
function findProgram(): string | null {
  try {
    return requireVersityGateway()
  } catch (error) {
    process.env['TEST_S3_FAULT'] = (error as Error).message
    return null
  }
}

export async function teardown(): Promise<void> {
  await stopServer()
}
