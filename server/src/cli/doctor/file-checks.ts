import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '#providers/files/port.ts'
import { openStoredFiles } from '../../files/files-location.ts'
import { findUsedFiles } from '../../files/store.ts'
import type { BaseDeps } from '../../start.ts'
import { type Check, ok, problem, warning } from './finding.ts'
import { listAttachmentFiles, listDocumentFiles, listImageFiles, type StoredFile } from './store.ts'

const filesPerBatch = 500
/** Newer files may belong to an upload whose row is not committed yet. */
const minOrphanAge = 3_600_000

async function* listStoredFiles({ db }: BaseDeps): AsyncIterable<StoredFile> {
  for (const key of await listImageFiles(db)) yield { key, sha256: null }
  for (const listFiles of [listDocumentFiles, listAttachmentFiles])
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rows = await listFiles(db, after, filesPerBatch)
      for (const { file_key, sha256 } of rows) yield { key: file_key, sha256 }
      after = rows.at(-1)?.id
    }
}

async function hashFile(files: FileStore, key: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(await files.open(key), hash)
  return hash.digest('hex')
}

function storedFilesCheck(deps: BaseDeps, files: FileStore, shouldVerifyHashes: boolean): Check {
  return {
    about: 'stored files',
    async run() {
      let [seen, missing, changed] = [0, 0, 0]
      for await (const { key, sha256 } of listStoredFiles(deps)) {
        seen += 1
        if ((await files.size(key)) === null) missing += 1
        else if (shouldVerifyHashes && sha256 !== null && (await hashFile(files, key)) !== sha256)
          changed += 1
      }
      if (missing + changed === 0)
        return ok(`${seen} checked, none missing${shouldVerifyHashes ? ' or changed' : ''}`)
      const faults = [...(missing ? [`${missing} missing`] : []), ...(changed ? [`${changed} changed`] : [])]
      return problem(`${faults.join(' and ')} of ${seen}. Restore them from a backup.`)
    },
  }
}

function orphanCheck({ db, now }: BaseDeps, files: FileStore): Check {
  return {
    about: 'files without a record',
    async run() {
      let orphans = 0
      let batch: string[] = []
      async function count(): Promise<void> {
        orphans += batch.length - (await findUsedFiles(db, batch)).size
        batch = []
      }
      for await (const { key, modifiedAt } of files.list()) {
        if (now() - modifiedAt < minOrphanAge) continue
        batch.push(key)
        if (batch.length >= filesPerBatch) await count()
      }
      await count()
      return orphans === 0
        ? ok('none')
        : warning(`${orphans} found. “Cleanup Orphaned” on the channels page removes them.`)
    },
  }
}

/** A list of the bucket, which opening it has read, does not show whether files can be written. */
function bucketCheck(bucket: string, files: FileStore): Check {
  return {
    about: 'file storage',
    async run() {
      const content = 'A test by lyceum doctor'
      const { key } = await files.put(Readable.from([Buffer.from(content)]))
      try {
        if ((await text(await files.open(key))) !== content)
          return problem(`The bucket ${bucket} returned other bytes than were written.`)
      } finally {
        await files.remove(key)
      }
      return ok(`a file was written to the bucket ${bucket}, read and removed`)
    },
  }
}

export async function fileChecks(deps: BaseDeps, shouldVerifyHashes: boolean): Promise<Check[]> {
  const { S3_BUCKET: bucket, DATA_DIR } = deps.env
  // Opening the folder would create it.
  if (bucket === undefined && !existsSync(join(DATA_DIR, 'blobs'))) return []
  let files: FileStore
  try {
    files = await openStoredFiles(deps.env)
  } catch (error) {
    return [{ about: 'file storage', run: () => Promise.reject(error) }]
  }
  return [
    ...(bucket === undefined ? [] : [bucketCheck(bucket, files)]),
    storedFilesCheck(deps, files, shouldVerifyHashes),
    orphanCheck(deps, files),
  ]
}
