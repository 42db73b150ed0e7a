let stopServers: () => Promise<void> = async () => {}

/**
 * Runs once before the tests on two servers, after the setups of the services that they share: creates a bucket and
 * starts Redis. Tests divide these services by names.
 */
export async function setup(): Promise<void> {
  try {
    // These modules read what the other setups have set.
    const [{ createTestBucket }, { startTestRedis }, { requireOpenSearch }] = await Promise.all([
      import('../../server/src/testing/test-bucket.ts'),
      import('../../server/src/testing/test-redis.ts'),
      import('../../server/src/testing/test-opensearch.ts'),
    ])
    const bucket = await createTestBucket()
    const OPENSEARCH_URL = requireOpenSearch()
    const redis = await startTestRedis()
    stopServers = redis.close
    process.env['TEST_NODES_SETTINGS'] = JSON.stringify({
      ...bucket.env,
      OPENSEARCH_URL,
      REDIS_URL: redis.url,
    })
  } catch (error) {
    // Only the tests on two servers fail then, and say why.
    process.env['TEST_NODES_FAULT'] = (error as Error).message
  }
}

export async function teardown(): Promise<void> {
  await stopServers()
}
