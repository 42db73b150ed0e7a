import type { Proposal } from '@lyceum/contract/documents'
import type { ReceivedFile } from '#files/store-file.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { scopeIdempotencyKey } from '../../../idempotency-key.ts'
import { requireMember, requireNotArchived } from '../../channels/access.ts'
import { removeDocument } from '../documents.ts'
import { presentProposal } from '../present.ts'
import { findByIdempotencyKey } from '../store.ts'
import { normalizeFileName, normalizeTitle } from './file-name.ts'
import {
  countPendingProposals,
  findOwnProposal,
  listProposals,
  lockPendingProposal,
} from './proposal-store.ts'
import { checkFile, requireFile } from './receive-file.ts'
import { addDocument } from './upload.ts'

const maxPending = 20
const maxListed = 100

interface ProposalInput {
  file: ReceivedFile | null
  idempotencyKey: string | null
}

async function requireOwnProposal(deps: Deps, actor: Actor, channelId: string, id: string) {
  const found = await findOwnProposal(deps.db, { userId: actor.userId, channelId, id })
  if (!found) throw notFound()
  return found
}

/** Creates a pending document that goes through the same review as an uploaded one. */
export async function proposeDocument(
  deps: Deps,
  actor: Actor,
  channelId: string,
  { file, idempotencyKey }: ProposalInput,
): Promise<Proposal> {
  const channel = await requireMember(deps.db, actor, channelId)
  if (!channel.allow_proposals) throw new AppError('channel.no_proposals')
  const key = scopeIdempotencyKey(idempotencyKey, actor.userId)
  const earlier = key && (await findByIdempotencyKey(deps.db, key))
  if (earlier) return presentProposal(await requireOwnProposal(deps, actor, channelId, earlier.id))
  requireNotArchived(channel)
  const received = requireFile(file)
  const name = normalizeFileName(received.name)
  const { id } = await addDocument(deps, {
    actor,
    channelId,
    title: normalizeTitle('', name),
    description: '',
    file: await checkFile(deps, received, name),
    idempotencyKey: key,
    isProposal: true,
    checkChannel: async (tx, { allow_proposals }) => {
      if (!allow_proposals) throw new AppError('channel.no_proposals')
      if ((await countPendingProposals(tx, actor.userId, channelId)) >= maxPending)
        throw new AppError('document.proposals_full')
    },
  })
  return presentProposal(await requireOwnProposal(deps, actor, channelId, id))
}

/** The caller’s own proposals, newest first, even if the channel no longer accepts any. */
export async function listOwnProposals(deps: Deps, actor: Actor, channelId: string): Promise<Proposal[]> {
  await requireMember(deps.db, actor, channelId)
  return (await listProposals(deps.db, actor.userId, channelId, maxListed)).map(presentProposal)
}

/** Deletes the caller’s own proposal unless it was already decided or replaced by another version. */
export async function withdrawProposal(
  deps: Deps,
  actor: Actor,
  channelId: string,
  id: string,
): Promise<{ message: string }> {
  await requireMember(deps.db, actor, channelId)
  const { title } = await requireOwnProposal(deps, actor, channelId, id)
  await removeDocument(deps, actor, id, (tx) =>
    lockPendingProposal(tx, { userId: actor.userId, channelId, id }),
  )
  return { message: `“${title}” was withdrawn` }
}
