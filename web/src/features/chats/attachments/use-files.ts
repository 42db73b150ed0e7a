import { type Attachment, attachmentsApi, maxAttachmentsPerMessage } from '@lyceum/contract/attachments'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isAborted, isNotFound, isRetryable, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { upload } from '#api/upload.ts'
import { log } from '#lib/log.ts'
import { randomKey } from '#lib/random-key.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { isDocument, isPicture } from './file-kinds.ts'
import { editUnsentFiles, unsentFilesQuery } from './queries.ts'
import { shrinkPicture } from './shrink-picture.ts'

/** A file that is being uploaded or that could not be uploaded. */
export interface PendingFile {
  readonly key: string
  readonly file: File
  /** The part that was sent, from 0 to 1. */
  readonly progress: number
  /** Why it failed. */
  readonly error: string | null
  /** It failed, and another attempt may succeed. */
  readonly canRetry: boolean
}

/** The state of a file whose upload begins. */
const started = { progress: 0, error: null, canRetry: false }

function describeNotAttached(files: readonly File[], hint: string): string {
  const names = files.map(({ name }) => name)
  return texts.attachments.notAttached(names, hint)
}

/** Tells the user which files have a type that cannot be attached. */
function reportUnsuitable(files: readonly File[], takesPictures: boolean): void {
  if (files.length === 0) return
  const hasPicture = files.some(({ type }) => type.startsWith('image/'))
  const documentHint = hasPicture ? texts.attachments.noPictures : texts.attachments.documentType
  toast.error(describeNotAttached(files, takesPictures ? texts.attachments.type : documentHint))
}

interface Options {
  channelId: string
  chatId: string
  isAllowed: boolean
  takesPictures: boolean
  /** Ids of files that belong to a message being sent, or to one that could not be sent. */
  taken: readonly string[]
}

/** The files for the next message of a chat: those that are uploaded, and those on their way. */
export function useFiles({ channelId, chatId, isAllowed, takesPictures, taken }: Options) {
  const client = useQueryClient()
  const { data: unsent = [] } = useQuery({ ...unsentFilesQuery(channelId, chatId), enabled: isAllowed })
  const ready = isAllowed ? unsent.filter(({ _id }) => !taken.includes(_id)) : []
  const [pending, setPending] = useState<readonly PendingFile[]>([])
  const [notice, setNotice] = useState('')
  const controllers = useRef(new Map<string, AbortController>())
  const lastUpload = useRef<Promise<void>>(Promise.resolve())
  const tooManyToast = useRef('')
  const params = { channelId, chatId }
  const uploading = pending.filter(({ error }) => error === null)
  const room = Math.max(0, maxAttachmentsPerMessage - ready.length - uploading.length)

  function change(key: string, part: Partial<PendingFile>): void {
    setPending((files) => files.map((file) => (file.key === key ? { ...file, ...part } : file)))
  }
  function drop(key: string): void {
    setPending((files) => files.filter((file) => file.key !== key))
  }

  /** Removes the toast about files for which there was no room. */
  function dismissTooMany(): void {
    toast.dismiss(tooManyToast.current)
  }
  function reportTooMany(files: readonly File[]): void {
    dismissTooMany()
    tooManyToast.current = describeNotAttached(files, texts.attachments.tooMany)
    toast.error(tooManyToast.current)
  }

  async function uploadOne(key: string, file: File, { signal }: AbortController): Promise<void> {
    try {
      const sent = isPicture(file) ? await shrinkPicture(file) : file
      const attachment = await upload(
        attachmentsApi.upload,
        { params, file: sent, fields: {} },
        { signal, onProgress: (progress) => change(key, { progress }) },
      )
      await editUnsentFiles(client, channelId, chatId, (files) => [...files, attachment])
      drop(key)
      setNotice(`${attachment.name} is attached`)
    } catch (error) {
      if (isAborted(error)) return
      log('A file could not be attached', error)
      change(key, { error: messageOf(error, texts.attachments.uploadFailed), canRetry: isRetryable(error) })
    } finally {
      controllers.current.delete(key)
    }
  }

  /** Uploads the files one after the other, because the server reads one at a time. */
  function enqueue(key: string, file: File): void {
    // Otherwise the last notice would be announced again after the uploads.
    setNotice('')
    const controller = new AbortController()
    controllers.current.set(key, controller)
    lastUpload.current = lastUpload.current.then(() => uploadOne(key, file, controller))
  }

  function add(chosen: readonly File[]): void {
    const attached = new Set([
      ...ready.map(({ name, fileSize }) => `${fileSize} ${name}`),
      ...uploading.map(({ file }) => `${file.size} ${file.name}`),
    ])
    const suitable = chosen.filter((file) => isDocument(file) || (takesPictures && isPicture(file)))
    reportUnsuitable(
      chosen.filter((file) => !suitable.includes(file)),
      takesPictures,
    )
    const files = suitable.filter(({ name, size }) => !attached.has(`${size} ${name}`))
    const duplicate = suitable.find((file) => !files.includes(file))
    if (duplicate) toast.error(texts.attachments.duplicate(duplicate.name))
    if (files.length > room) reportTooMany(files.slice(room))
    for (const file of files.slice(0, room)) {
      const key = randomKey()
      setPending((known) => [...known, { key, file, ...started }])
      enqueue(key, file)
    }
  }

  function retry({ key, file }: PendingFile): void {
    if (room === 0) {
      reportTooMany([file])
      return
    }
    change(key, started)
    enqueue(key, file)
  }

  /** Cancels the upload, or removes a file that could not be uploaded. */
  function cancel(key: string): void {
    controllers.current.get(key)?.abort()
    drop(key)
  }

  async function remove({ _id, name }: Attachment): Promise<void> {
    try {
      await call(attachmentsApi.remove, { params: { ...params, attachmentId: _id } })
    } catch (error) {
      if (!isNotFound(error)) {
        toast.error(messageOf(error, texts.attachments.removeFailed))
        return
      }
    }
    await editUnsentFiles(client, channelId, chatId, (files) => files.filter((file) => file._id !== _id))
    setNotice(`${name} was removed`)
  }

  return {
    ready,
    pending,
    isUploading: uploading.length > 0,
    failedCount: pending.length - uploading.length,
    /** The last change, for screen readers. */
    notice: uploading.length > 0 ? 'Attaching files' : notice,
    add,
    retry,
    cancel,
    remove,
    dismissTooMany,
  }
}

export type Files = ReturnType<typeof useFiles>
