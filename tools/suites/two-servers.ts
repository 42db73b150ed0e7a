/** Tests of the complete server that say nothing about two of them, each with the reason. */
export const notOnTwoServers: Readonly<Record<string, string>> = {
  'server/src/backup/backup.test.ts':
    'Its commands have the settings of a single server, whose files are in its data folder.',
  'server/src/cli/doctor/database-checks.test.ts':
    'It takes the lock of the database as a single server does, which those of a cluster share.',
  'server/src/cli/doctor/search-checks.postgres.test.ts':
    'It checks the search in PostgreSQL, in place of which these servers use OpenSearch.',
  'server/src/features/auth/session-touches.test.ts':
    'It looks at the times that one server has collected, and each collects those of its own requests.',
  'server/src/features/documents/indexing/orphans.test.ts':
    'It changes the age of stored files, which in a bucket is by the clock of the S3 server.',
  'server/src/features/documents/retrieval/search-in-postgres.postgres.test.ts':
    'It tests the search in PostgreSQL, in place of which these servers use OpenSearch.',
  'server/src/http/load.test.ts':
    'It looks at the connections of one server, and each server limits its load by itself.',
  'server/src/http/open-bodies.test.ts':
    'It fills the slots of one server, and each server limits its load by itself.',
  'server/src/http/overload.test.ts': 'It overloads one server, and each server limits its load by itself.',
  'server/src/http/uploads.test.ts': 'It looks for unfinished uploads in the data folder of one server.',
}

/** The features in which a server keeps something from one call to the next. */
const keepingFeatures = /^server\/src\/features\/(?:auth|chats|connections|documents)\//

/** Chooses from the tests of the complete server those that run on two: of some features, or all with TEST_TWO_SERVERS=all. */
export function chooseForTwoServers(withApp: readonly string[]): string[] {
  const isComplete = process.env['TEST_TWO_SERVERS'] === 'all'
  return withApp.filter((file) => !(file in notOnTwoServers) && (isComplete || keepingFeatures.test(file)))
}
