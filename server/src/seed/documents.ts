import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spoolName } from '#files/data-folder.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import type { Deps } from '../deps.ts'
import { approveDocument, rejectDocument } from '../features/documents/review/review.ts'
import { proposeDocument } from '../features/documents/upload/proposals.ts'
import { uploadDocument } from '../features/documents/upload/upload.ts'
import { replaceDocument } from '../features/documents/versions/versions.ts'
import { createWorker } from '../worker.ts'
import type { ChannelName } from './channels.ts'
import type { SeededUsers } from './users.ts'

interface SeededDocument {
  channel: ChannelName
  /** A file of testing/documents, or a truncated PDF. */
  file: 'handbook.pdf' | 'travel-policy.docx' | 'safety.doc' | 'menu.txt' | 'damaged'
  name: string
  title: string
  description: string
  decision: 'approve' | 'reject' | null
}

const documents: readonly SeededDocument[] = [
  {
    channel: 'policies',
    file: 'handbook.pdf',
    name: 'handbook.pdf',
    title: 'Employee handbook',
    description: 'The edition in force, agreed with the works council.',
    decision: 'approve',
  },
  {
    channel: 'policies',
    file: 'travel-policy.docx',
    name: 'travel-policy.docx',
    title: 'Travel policy',
    description: 'Daily allowances and what to keep receipts for.',
    decision: 'approve',
  },
  {
    channel: 'policies',
    file: 'damaged',
    name: 'Organisation chart.pdf',
    title: 'Organisation chart',
    description: 'Exported from the planning tool.',
    decision: 'approve',
  },
  {
    channel: 'policies',
    file: 'safety.doc',
    name: 'safety (old copy).doc',
    title: 'Safety instructions, old copy',
    description: 'Belongs to the workshop.',
    decision: 'reject',
  },
  {
    channel: 'policies',
    file: 'menu.txt',
    name: 'canteen.txt',
    title: 'The canteen this week',
    description: '',
    decision: null,
  },
  {
    channel: 'workshop',
    file: 'safety.doc',
    name: 'safety.doc',
    title: 'Safety instructions',
    description: 'Posted at every machine as well.',
    decision: 'approve',
  },
  {
    channel: 'workshop',
    file: 'travel-policy.docx',
    name: 'travel-policy.docx',
    title: 'Travel policy for fitters',
    description: 'For those who work at customers’ sites.',
    decision: null,
  },
]

const folder = fileURLToPath(new URL('../testing/documents/', import.meta.url))

/** Begins like a PDF and ends in the middle of an object. */
const damagedPdf = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pag'

const revisedSafety = `Safety instructions

Wear eye protection at every machine, even if you are only passing by.
Report each near miss to the safety officer on the same day.
The eye wash station is checked on the first Monday of the month.
`

const timetable = `Bus to the site

Line 12 leaves the station at 6:40, 7:10 and 7:40.
The last bus back leaves the gate at 18:25.
`

/** Passes a file to `use` like an upload and deletes it afterwards. */
async function withSpooledFile<R>(
  deps: Deps,
  name: string,
  write: (path: string) => Promise<void>,
  use: (file: ReceivedFile) => Promise<R>,
): Promise<R> {
  const spool = join(deps.env.DATA_DIR, spoolName)
  await mkdir(spool, { recursive: true })
  const path = join(spool, 'seed')
  await write(path)
  const { size } = await stat(path)
  const result = await use({ path, name, size })
  await rm(path)
  return result
}

async function upload(deps: Deps, users: SeededUsers, channelId: string, document: SeededDocument) {
  const { file, name, title, description } = document
  function write(path: string): Promise<void> {
    return file === 'damaged' ? writeFile(path, damagedPdf) : copyFile(join(folder, file), path)
  }
  const { _id } = await withSpooledFile(deps, name, write, (received) =>
    uploadDocument(deps, users.admin, {
      file: received,
      fields: { channelId, title, description },
      idempotencyKey: null,
    }),
  )
  return _id
}

/**
 * Adds a second version that waits for review while the first one is used in answers, and a document proposed by a
 * member.
 */
async function addForReview(deps: Deps, users: SeededUsers, channelId: string, replacedId: string) {
  function write(text: string) {
    return (path: string) => writeFile(path, text)
  }
  await withSpooledFile(deps, 'safety-revised.txt', write(revisedSafety), (file) =>
    replaceDocument(deps, users.admin, replacedId, { file, idempotencyKey: null }),
  )
  await withSpooledFile(deps, 'bus-timetable.txt', write(timetable), (file) =>
    proposeDocument(deps, users.members.linh, channelId, { file, idempotencyKey: null }),
  )
}

/** Adds at least one document in each review state and indexes the approved ones. */
export async function addDocuments(
  deps: Deps,
  users: SeededUsers,
  channels: Record<ChannelName, string>,
): Promise<void> {
  let replacedId = ''
  for (const document of documents) {
    const id = await upload(deps, users, channels[document.channel], document)
    if (document.decision === 'approve') await approveDocument(deps, users.owner, id)
    if (document.title === 'Safety instructions') replacedId = id
    if (document.decision === 'reject') await rejectDocument(deps, users.owner, id)
  }
  const worker = createWorker(deps)
  await worker.runUntilIdle()
  await worker.stop()
  await addForReview(deps, users, channels.policies, replacedId)
}
