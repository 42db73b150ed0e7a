import { type RawBuilder, sql } from 'kysely'
import type { TestCluster } from './cluster-chats.ts'
import { startTestRedis } from './test-redis.ts'

/** What carries the links between the servers of a cluster. */
export interface LinkCarrier {
  /** Settings of the servers. */
  env: Record<string, string>
  countLogs(): Promise<number>
  loseLogs(): Promise<void>
  makePushesFail(): Promise<void>
  makePushesWork(): Promise<void>
  close(): Promise<void>
}

export async function carryByPostgres({ db }: TestCluster): Promise<LinkCarrier> {
  async function run(statement: RawBuilder<unknown>): Promise<void> {
    await statement.execute(db)
  }
  return {
    env: {},
    countLogs: async () => (await sql`select from shared_event_log`.execute(db)).rows.length,
    loseLogs: () => run(sql`delete from shared_event_log`),
    async makePushesFail() {
      await run(sql`create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'no'; end $$`)
      await run(sql`create trigger fail before insert on shared_event_log
        for each statement execute function fail()`)
    },
    makePushesWork: () => run(sql`drop trigger fail on shared_event_log`),
    close: async () => undefined,
  }
}

export async function carryByRedis(): Promise<LinkCarrier> {
  const redis = await startTestRedis()
  return {
    env: { REDIS_URL: redis.url },
    countLogs: async () => (await redis.client.keys('lyceum:log:*')).length,
    async loseLogs() {
      await redis.client.flushall()
    },
    makePushesFail: () => redis.setFull(true),
    makePushesWork: () => redis.setFull(false),
    close: redis.close,
  }
}
