import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Deps } from '../deps.ts'
import { approveDocument, rejectDocument } from '../features/documents/review.ts'
import { uploadDocument } from '../features/documents/upload.ts'
import { createWorker } from '../worker.ts'
import type { ChannelName } from './channels.ts'
import type { People } from './people.ts'

interface SeededDocument {
  channel: ChannelName
  /** A file beside the tests, or a PDF that breaks off. */
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

/** Begins as a PDF does and stops in the middle of its first object. */
const damagedPdf = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pag'

const upload = async (deps: Deps, people: People, channelId: string, document: SeededDocument) => {
  const spool = join(deps.env.DATA_DIR, 'spool')
  await mkdir(spool, { recursive: true })
  const path = join(spool, 'seed')
  if (document.file === 'damaged') await writeFile(path, damagedPdf)
  else await copyFile(join(folder, document.file), path)
  const { size } = await stat(path)
  const { _id } = await uploadDocument(deps, people.admin, {
    file: { path, name: document.name, size },
    fields: { channelId, title: document.title, description: document.description },
    idempotencyKey: null,
  })
  await rm(path)
  return _id
}

/** One document or more in each state a reviewer meets, indexed as far as they will ever be. */
export const addDocuments = async (
  deps: Deps,
  people: People,
  channels: Record<ChannelName, string>,
): Promise<void> => {
  for (const document of documents) {
    const id = await upload(deps, people, channels[document.channel], document)
    if (document.decision === 'approve') await approveDocument(deps, people.owner, id)
    if (document.decision === 'reject') await rejectDocument(deps, people.owner, id)
  }
  const worker = createWorker(deps)
  await worker.runUntilIdle()
  await worker.stop()
}
