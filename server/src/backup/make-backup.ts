import { readFile } from 'node:fs/promises'
import type { TableShape } from '#db/backup-tables.ts'
import type { DatabaseLocation } from '#db/client.ts'
import { isForeignExpansion } from '#db/migrate.ts'
import { openSnapshot, type Row, type Snapshot } from '#db/snapshot.ts'
import type { ArchiveStore } from '#providers/archives/port.ts'
import type { FileStore } from '#providers/files/port.ts'
import { type ArchivedTable, appVersion, filesFolder, recordsFolder, secretsName } from './archive-format.ts'
import { OperatorError } from './restore.ts'
import { encodeRow } from './rows.ts'
import { collectFiles, type ReferencedFile } from './stored-files.ts'
import { type ArchiveWriter, writeArchive } from './write-archive.ts'

export interface BackupRequest {
  database: DatabaseLocation
  /** The name of the archive, which appears complete or not at all. */
  name: string
  passphrase: string | null
  /** The secrets file to include; null to leave it out. */
  secretsFile: string | null
  madeAt: number
}

export interface BackupMade {
  /** The path or address of the archive. */
  path: string
  bytes: number
  madeAt: number
  rows: number
  files: number
  /** Referenced files that do not exist. */
  missingFiles: number
  /** Documents whose content no longer matches the upload. */
  changedFiles: number
  isEncrypted: boolean
  hasSecrets: boolean
}

const bytesPerEntry = 1024 * 1024

/** Writes the rows of a table as entries of about a megabyte. */
async function addTable(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  table: TableShape,
  visit: (table: TableShape, row: Row) => void,
): Promise<ArchivedTable> {
  const { name, columns, byteColumns } = table
  let [rows, part, size] = [0, 0, 0]
  let lines: string[] = []
  async function flush(): Promise<void> {
    if (lines.length === 0) return
    part += 1
    await archive.add(
      `${recordsFolder}${name}/${String(part).padStart(6, '0')}.jsonl`,
      Buffer.from(lines.join('')),
    )
    ;[lines, size] = [[], 0]
  }
  for await (const page of snapshot.rows(table))
    for (const row of page) {
      visit(table, row)
      const line = encodeRow(row)
      lines.push(line)
      size += line.length
      rows += 1
      if (size >= bytesPerEntry) await flush()
    }
  await flush()
  return { name, columns: [...columns], byteColumns: [...byteColumns], rows }
}

interface FilesCopied {
  files: number
  fileBytes: number
  missingFiles: string[]
  changedFiles: string[]
}

/** A missing or damaged file does not fail the backup. It is listed in the manifest and in the outcome. */
async function addFiles(
  archive: ArchiveWriter,
  store: FileStore,
  referenced: ReadonlyMap<string, ReferencedFile>,
): Promise<FilesCopied> {
  const copied: FilesCopied = { files: 0, fileBytes: 0, missingFiles: [], changedFiles: [] }
  for (const [key, { sha256 }] of referenced) {
    const size = await store.size(key)
    if (size === null) {
      copied.missingFiles.push(key)
      continue
    }
    const hash = await archive.copy(`${filesFolder}${key}`, size, await store.open(key))
    copied.files += 1
    copied.fileBytes += size
    if (sha256 !== null && hash !== sha256) copied.changedFiles.push(key)
  }
  return copied
}

/**
 * Backs up a snapshot of the database and the files that it refers to, while the server keeps running. Deleted files
 * stay on disk for a day, so every file still exists when it is copied.
 */
export async function makeBackup(
  files: FileStore,
  archives: ArchiveStore,
  request: BackupRequest,
): Promise<BackupMade> {
  const snapshot = await openSnapshot(request.database)
  try {
    // This version would leave out the tables that it does not know.
    if (snapshot.steps.some(isForeignExpansion))
      throw new OperatorError(
        'A newer version of Lyceum has added to the database. Use that version for backups.',
      )
    const head = {
      madeAt: request.madeAt,
      app: appVersion(),
      database: snapshot.kind,
      steps: [...snapshot.steps],
    }
    const { manifest, bytes } = await writeArchive({ ...request, store: archives }, head, async (archive) => {
      const tables: ArchivedTable[] = []
      const { files: referenced, visit } = collectFiles()
      for (const table of snapshot.tables)
        if (!table.exclusionReason) tables.push(await addTable(archive, snapshot, table, visit))
      const copied = await addFiles(archive, files, referenced)
      if (request.secretsFile !== null) await archive.add(secretsName, await readFile(request.secretsFile))
      return { tables, ...copied }
    })
    return {
      path: archives.locate(request.name),
      bytes,
      madeAt: request.madeAt,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.files,
      missingFiles: manifest.missingFiles.length,
      changedFiles: manifest.changedFiles.length,
      isEncrypted: request.passphrase !== null,
      hasSecrets: request.secretsFile !== null,
    }
  } finally {
    await snapshot.close()
  }
}
