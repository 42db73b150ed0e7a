import { readFileSync } from 'node:fs'
import * as z from 'zod'

/**
 * A backup is a gzipped tar with `head.json` first, then the rows as lines of JSON, the files under their keys, and the
 * secrets if requested. At the end, `manifest.json` lists every entry with its hash, and `manifest.sha256` contains the
 * hash of the manifest. A truncated file therefore has no manifest, and a changed file does not match it.
 * docs/decisions/0014.
 */
export const headName = 'head.json'
export const manifestName = 'manifest.json'
/** Contains the hash of the manifest, which the manifest itself cannot list. */
export const manifestHashName = 'manifest.sha256'
export const secretsName = 'secrets.json'
export const recordsFolder = 'records/'
export const filesFolder = 'files/'
export const fileEntry = /^files\/([0-9a-f]{40})$/

export const archiveFormat = 1

const head = z.object({
  format: z.literal('lyceum-backup'),
  /** Increased when older versions can no longer read the format. */
  version: z.int(),
  madeAt: z.int(),
  app: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** The migrations of the schema, in order. */
  steps: z.array(z.string()),
})
export type Head = z.output<typeof head>

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  byteColumns: z.array(z.string()),
  rows: z.int(),
})

const manifest = head.extend({
  tables: z.array(table),
  entries: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
  files: z.int(),
  fileBytes: z.int(),
  /** Keys of referenced files that were missing, or whose content had changed since the upload. */
  missingFiles: z.array(z.string()),
  changedFiles: z.array(z.string()),
})
export type Manifest = z.output<typeof manifest>
export type ArchivedTable = Manifest['tables'][number]

/** The file is not a backup, or was changed. The message completes "The backup cannot be used: …". */
export class ArchiveUnusable extends Error {}

function parseEntry<T>(schema: z.ZodType<T>, bytes: Buffer, name: string): T {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (cause) {
    throw new ArchiveUnusable(`its ${name} cannot be read`, { cause })
  }
}

/** Parsed first, because the other fields of a newer head may have changed. */
const formatOnly = head.pick({ format: true, version: true, app: true })

export function parseHead(bytes: Buffer): Head {
  const { version, app } = parseEntry(formatOnly, bytes, headName)
  if (version > archiveFormat)
    throw new ArchiveUnusable(
      `it was written by a newer version of Lyceum (${app}), which must be used to restore it`,
    )
  return parseEntry(head, bytes, headName)
}

export function parseManifest(bytes: Buffer): Manifest {
  return parseEntry(manifest, bytes, manifestName)
}

const packageFile = new URL('../../package.json', import.meta.url)

export function appVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version
}
