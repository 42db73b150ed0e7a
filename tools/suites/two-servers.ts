/** Tests of the complete server that say nothing about two of them, each with the reason. */
export const notOnTwoServers: Readonly<Record<string, string>> = {
  'server/src/backup/backup.test.ts':
    'Its commands have the settings of a single server, whose files are in its data folder.',
  'server/src/cli/doctor/database-checks.test.ts':
    'It takes the lock of the database as a single server does, which those of a cluster share.',
  'server/src/cli/doctor/search-checks.postgres.test.ts':
    'It checks the search in PostgreSQL, in place of which these servers use OpenSearch.',
  'server/src/features/documents/retrieval/search-in-postgres.postgres.test.ts':
    'It tests the search in PostgreSQL, in place of which these servers use OpenSearch.',
}

/** The features in which a server keeps something from one call to the next. */
const keepingFeatures = /^server\/src\/features\/(?:auth|chats|connections|documents)\//

/** Chooses from the tests of the complete server those that run on two: of some features, or all with TEST_TWO_SERVERS=all. */
export function chooseForTwoServers(withApp: readonly string[]): string[] {
  const isComplete = process.env['TEST_TWO_SERVERS'] === 'all'
  return withApp.filter((file) => !(file in notOnTwoServers) && (isComplete || keepingFeatures.test(file)))
}
