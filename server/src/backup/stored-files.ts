import type { TableShape } from '#db/backup-tables.ts'
import type { Row } from '#db/snapshot.ts'

export interface ReferencedFile {
  /** The hash of the upload; null for images. */
  sha256: string | null
}

type Fields = (column: string) => string | number | null

/** Finds keys of stored files anywhere in a setting. */
function findFileKeys(json: string): string[] {
  return json.match(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g) ?? []
}

function textOrNull(value: string | number | null): string | null {
  return typeof value === 'string' ? value : null
}

/** The files to which each row refers. A version with `released_at` no longer has a file. */
const filesByTable: Readonly<Record<string, (field: Fields) => [string | null, ReferencedFile][]>> = {
  document_versions: (field) =>
    field('released_at') === null
      ? [[textOrNull(field('file_key')), { sha256: textOrNull(field('sha256')) }]]
      : [],
  attachments: (field) => [[textOrNull(field('file_key')), { sha256: textOrNull(field('sha256')) }]],
  channels: (field) => [[textOrNull(field('wallpaper_file')), { sha256: null }]],
  settings: (field) => findFileKeys(textOrNull(field('value')) ?? '').map((key) => [key, { sha256: null }]),
}

/** Collects the files of all visited rows. */
export function collectFiles() {
  const files = new Map<string, ReferencedFile>()
  function visit({ name, columns }: TableShape, row: Row): void {
    const getFiles = filesByTable[name]
    if (!getFiles) return
    const field: Fields = (column) => {
      const value = row[columns.indexOf(column)]
      return typeof value === 'string' || typeof value === 'number' ? value : null
    }
    for (const [key, file] of getFiles(field)) if (key !== null) files.set(key, file)
  }
  return { files, visit }
}
