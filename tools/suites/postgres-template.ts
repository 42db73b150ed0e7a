let drop: () => Promise<void> = async () => {}

/** Runs once before the tests on PostgreSQL, after its setup: creates the database that those of the tests are copied from. */
export async function setup(): Promise<void> {
  const serverUrl = process.env['TEST_POSTGRES_URL']
  if (serverUrl === undefined || process.env['TEST_POSTGRES_TEMPLATE'] !== undefined) return
  const { createPostgresTemplate } = await import('../../server/src/testing/test-database.ts')
  const template = await createPostgresTemplate(serverUrl)
  process.env['TEST_POSTGRES_TEMPLATE'] = template.name
  drop = template.drop
}

export async function teardown(): Promise<void> {
  delete process.env['TEST_POSTGRES_TEMPLATE']
  await drop()
}
