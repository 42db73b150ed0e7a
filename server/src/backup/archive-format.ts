import { readFileSync } from 'node:fs'
import * as z from 'zod'

/**
 * A backup is a gzipped tar: `head.json` first, then the records as lines of JSON, the files under their keys, the
 * secrets where they were asked for, and at the end `manifest.json`, which names every entry with its hash, and its own
 * hash. So a file that was cut short has no manifest, and one that was changed does not match it. docs/decisions/0014.
 */
export const headName = 'head.json'
export const manifestName = 'manifest.json'
/** Holds the hash of the manifest, the one entry that it cannot name itself. */
export const manifestHashName = 'manifest.sha256'
export const secretsName = 'secrets.json'
export const recordsFolder = 'records/'
export const filesFolder = 'files/'
export const fileEntry = /^files\/([0-9a-f]{40})$/

export const archiveFormat = 1

const head = z.object({
  format: z.literal('lyceum-backup'),
  /** Raised when an older version could no longer read it. */
  version: z.int(),
  madeAt: z.int(),
  app: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** Of the schema, in their order. */
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
  /** Keys that the records name and for which there was no file, or another one than was stored. */
  missingFiles: z.array(z.string()),
  changedFiles: z.array(z.string()),
})
export type Manifest = z.output<typeof manifest>
export type ArchivedTable = Manifest['tables'][number]

/** The file is no backup, or not as it was written; the message says how in one sentence. */
export class ArchiveUnusable extends Error {}

function parsed<T>(schema: z.ZodType<T>, bytes: Buffer, name: string): T {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (cause) {
    throw new ArchiveUnusable(`its ${name} cannot be read`, { cause })
  }
}

/** Asked first: the rest of a newer head may be anything. */
const formatOnly = head.pick({ format: true, version: true, app: true })

export function parseHead(bytes: Buffer): Head {
  const { version, app } = parsed(formatOnly, bytes, headName)
  if (version > archiveFormat)
    throw new ArchiveUnusable(`it was written by a newer version of Lyceum (${app}), which has to restore it`)
  return parsed(head, bytes, headName)
}

export function parseManifest(bytes: Buffer): Manifest {
  return parsed(manifest, bytes, manifestName)
}

const packageFile = new URL('../../package.json', import.meta.url)

export function appVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version
}
