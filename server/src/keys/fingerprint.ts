import type { Executor } from '#db/client.ts'
import { readSetting, writeSetting } from '#db/settings.ts'
import type { Deps } from '../deps.ts'
import { SecretsError } from './key-file.ts'

const setting = 'secretsFingerprint'

/** Identifies the keys without revealing them. */
function getFingerprint({ secrets }: Pick<Deps, 'secrets'>): string {
  return secrets.keyedHash('fingerprint', 'secrets')
}

/**
 * Throws if another server on this database has other keys: users would be signed out, and emails could not be
 * decrypted, whenever a call reaches the wrong server.
 */
export async function requireSameSecrets(deps: Pick<Deps, 'db' | 'secrets' | 'now'>): Promise<void> {
  const fingerprint = getFingerprint(deps)
  await deps.db
    .insertInto('settings')
    .values({ key: setting, value: JSON.stringify(fingerprint), updated_at: deps.now() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  if ((await readSetting(deps.db, setting)) !== fingerprint)
    throw new SecretsError(
      'SECRETS_FILE does not contain the keys of the other servers on this database. Give all servers the same file.',
    )
}

/** After a rotation. Only servers of a cluster have stored a fingerprint. */
export async function replaceFingerprint(db: Executor, deps: Pick<Deps, 'secrets' | 'now'>): Promise<void> {
  if ((await readSetting(db, setting)) !== undefined)
    await writeSetting(db, setting, getFingerprint(deps), deps.now())
}
