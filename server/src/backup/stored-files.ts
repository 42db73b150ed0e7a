import type { TableShape } from '#db/kept-tables.ts'
import type { Row } from '#db/snapshot.ts'

/** A file that the records name. */
export interface NamedFile {
  /** What was stored; pictures have none. */
  sha256: string | null
}

type Fields = (column: string) => string | number | null

/** The key of a stored file, wherever it stands in a setting. */
function keysIn(json: string): string[] {
  return json.match(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g) ?? []
}

function text(value: string | number | null): string | null {
  return typeof value === 'string' ? value : null
}

/** Which rows name which files. What is released has no file any more: docs/product.md, "Versions". */
const filesOf: Readonly<Record<string, (field: Fields) => [string | null, NamedFile][]>> = {
  document_versions: (field) =>
    field('released_at') === null ? [[text(field('file_key')), { sha256: text(field('sha256')) }]] : [],
  channels: (field) => [[text(field('wallpaper_file')), { sha256: null }]],
  settings: (field) => keysIn(text(field('value')) ?? '').map((key) => [key, { sha256: null }]),
}

/** Notes the files of the rows that it sees. */
export function collectFiles() {
  const named = new Map<string, NamedFile>()
  function see({ name, columns }: TableShape, row: Row): void {
    const files = filesOf[name]
    if (!files) return
    const field: Fields = (column) => {
      const value = row[columns.indexOf(column)]
      return typeof value === 'string' || typeof value === 'number' ? value : null
    }
    for (const [key, file] of files(field)) if (key !== null) named.set(key, file)
  }
  return { named, see }
}
