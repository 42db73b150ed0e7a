import { readFile } from 'node:fs/promises'
import type { DatabaseLocation } from '#db/client.ts'
import type { TableShape } from '#db/kept-tables.ts'
import { openSnapshot, type Row, type Snapshot } from '#db/snapshot.ts'
import type { FileStore } from '#providers/files/port.ts'
import { type ArchivedTable, appVersion, filesFolder, recordsFolder, secretsName } from './archive-format.ts'
import { encodeRow } from './rows.ts'
import { collectFiles, type NamedFile } from './stored-files.ts'
import { type ArchiveWriter, writeArchive } from './write-archive.ts'

export interface BackupRequest {
  database: DatabaseLocation
  /** Where it goes, whole or not at all. */
  path: string
  passphrase: string | null
  /** The file with the installation's secrets, where they are to be held too. */
  secretsFile: string | null
  madeAt: number
}

export interface BackupMade {
  path: string
  bytes: number
  madeAt: number
  rows: number
  files: number
  /** Of the records' files: not there, or no longer what was stored. */
  missingFiles: number
  changedFiles: number
  isEncrypted: boolean
  hasSecrets: boolean
}

const linesPerEntry = 1024 * 1024

/** The rows of a table as entries of about a megabyte. */
async function addTable(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  table: TableShape,
  see: (table: TableShape, row: Row) => void,
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
      see(table, row)
      const line = encodeRow(row)
      lines.push(line)
      size += line.length
      rows += 1
      if (size >= linesPerEntry) await flush()
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

/** A file that is damaged must not keep the rest from being backed up: it is named, and who reads the outcome is told. */
async function addFiles(
  archive: ArchiveWriter,
  store: FileStore,
  named: ReadonlyMap<string, NamedFile>,
): Promise<FilesCopied> {
  const copied: FilesCopied = { files: 0, fileBytes: 0, missingFiles: [], changedFiles: [] }
  for (const [key, { sha256 }] of named) {
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
 * A backup of the records as they are at this instant and of the files that they name, beside whoever goes on working. A
 * deleted file stays for a day, so each is still there when its turn comes.
 */
export async function makeBackup(store: FileStore, request: BackupRequest): Promise<BackupMade> {
  const snapshot = await openSnapshot(request.database)
  try {
    const head = {
      madeAt: request.madeAt,
      app: appVersion(),
      database: snapshot.kind,
      steps: [...snapshot.steps],
    }
    const { manifest, bytes } = await writeArchive(request, head, async (archive) => {
      const tables: ArchivedTable[] = []
      const { named, see } = collectFiles()
      for (const table of snapshot.tables)
        if (!table.leftOut) tables.push(await addTable(archive, snapshot, table, see))
      const copied = await addFiles(archive, store, named)
      if (request.secretsFile !== null) await archive.add(secretsName, await readFile(request.secretsFile))
      return { tables, ...copied }
    })
    return {
      path: request.path,
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
