import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { Upload } from '@lyceum/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { ReceivedFile } from '../files/store-file.ts'
import { parseInput } from './parse.ts'

export interface ReceivedUpload {
  file: ReceivedFile | null
  fields: unknown
}

interface UploadLimits {
  /** Bytes. */
  document: number
  image: number
}

export interface UploadOptions {
  uploadLimits: UploadLimits
  spoolFolder: string
  /** Throws if there is no space for an upload of this size. */
  requireFreeSpace: (neededBytes: number) => void
}

const multipartLimits = {
  fields: 10,
  fieldSize: 4096,
  fieldNameSize: 64,
  files: 1,
  parts: 11,
  headerPairs: 50,
}

function createTooLargeError(kind: Upload['kind'], limit: number): AppError {
  return kind === 'image'
    ? new AppError('image.too_large')
    : new AppError('document.too_large', {
        message: `This file is too large. At most ${Math.floor(limit / 1024 / 1024)} MB can be uploaded.`,
      })
}

/**
 * Yields what arrives. Its failures depend on the body and the connection only: the body is malformed, or the client
 * left before its end.
 */
async function* readBody<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* source
  } catch (error) {
    // The plugin's own errors have a status, such as 413 for too many fields.
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error
    throw new AppError('request.malformed', { cause: error })
  }
}

async function spoolFile(
  part: MultipartFile,
  folder: string,
  kind: Upload['kind'],
  limit: number,
): Promise<ReceivedFile> {
  const path = join(folder, randomBytes(16).toString('hex'))
  let size = 0
  async function* countBytes(): AsyncIterable<Buffer> {
    for await (const chunk of readBody<Buffer>(part.file)) {
      size += chunk.length
      if (size > limit) throw createTooLargeError(kind, limit)
      yield chunk
    }
  }
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(countBytes, target)
  } catch (error) {
    // A file that is still being opened would appear after its removal.
    if (!target.closed) await new Promise<void>((resolve) => target.once('close', resolve))
    await rm(path, { force: true })
    throw error
  }
  return { path, name: part.filename, size }
}

function isFile(part: Multipart): part is MultipartFile {
  return part.type === 'file'
}

/**
 * Receives a multipart request, passes it on and always removes the temporary file. Bytes are counted as they arrive;
 * the Content-Length header only serves to refuse early.
 */
export async function receiveUpload<R>(
  request: FastifyRequest,
  upload: Upload,
  { uploadLimits, spoolFolder, requireFreeSpace }: UploadOptions,
  handle: (received: ReceivedUpload) => Promise<R>,
): Promise<R> {
  const limit = uploadLimits[upload.kind]
  if (Number(request.headers['content-length'] ?? 0) > limit + 64 * 1024)
    throw createTooLargeError(upload.kind, limit)
  // Before the file takes space away from the database.
  requireFreeSpace(Number(request.headers['content-length'] ?? limit))
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 })
  let file: ReceivedFile | null = null
  const values: Record<string, unknown> = {}
  try {
    const parts = request.parts({
      // Keep the name as sent: one that contains a path is refused, not silently shortened.
      preservePath: true,
      limits: { ...multipartLimits, fileSize: limit + 1 },
    })
    for await (const part of readBody(parts)) {
      if (!isFile(part)) values[part.fieldname] = part.value
      else if (part.fieldname === upload.field && !file)
        file = await spoolFile(part, spoolFolder, upload.kind, limit)
      else part.file.resume()
    }
    return await handle({ file, fields: parseInput(upload.fields, values) })
  } finally {
    if (file) await rm(file.path, { force: true })
  }
}
