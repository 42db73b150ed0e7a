import { join } from 'node:path'
import { requireGoPrograms } from './go.ts'

const version = 'v1.8.0'

/** Builds Versity's S3 gateway from its Go module, once for each checkout. */
export function requireVersityGateway(): string {
  const folder = requireGoPrograms(`versity-gateway/${version}`, {
    name: `the Versity S3 gateway ${version}`,
    command: () => ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`],
    need: 'The tests of file storage need an S3 server: the Versity S3 gateway, which is built with Go, or a running server named by TEST_S3_URL.',
  })
  return join(folder, 'versitygw')
}
