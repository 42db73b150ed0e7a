import { type Preset, type PresetInput, presetMaximum } from '@lyceum/contract/assistants'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { findChanges, fingerprint } from '../audit/changes.ts'
import { presentPreset, toColumns } from './preset-row.ts'
import {
  countPresets,
  deleteUnusedPreset,
  findPreset,
  findPresetsByAssistantId,
  insertPreset,
  listPresets,
  lockAssistants,
  type PresetRow,
  updatePreset,
} from './store.ts'

export async function listPresentedPresets({ db }: Deps): Promise<Preset[]> {
  return (await listPresets(db, presetMaximum)).map(presentPreset)
}

function createInUseError(count: number, verb: string): AppError {
  const channels = count === 1 ? 'One channel uses' : `${count} channels use`
  return new AppError('assistant.in_use', {
    message: `${channels} this assistant. Choose another one there before you ${verb}.`,
  })
}

/** What the audit log records about an assistant. Instructions are recorded only as a hash. */
function auditSnapshot(row: Omit<PresetRow, 'id' | 'created_at' | 'updated_at'>) {
  return {
    assistantId: row.assistant_id,
    name: row.name,
    description: row.description,
    instructions: fingerprint(row.instructions),
    model: row.model,
    options: JSON.parse(row.options) as unknown,
  }
}

export async function createPreset(deps: Deps, actor: Actor, input: PresetInput): Promise<Preset> {
  const now = deps.now()
  const row = { id: uuidv7(), ...toColumns(input), created_at: now, updated_at: now }
  await deps.db.transaction().execute(async (tx) => {
    await lockAssistants(tx)
    if ((await countPresets(tx)) >= presetMaximum) throw new AppError('assistant.full')
    if (!(await insertPreset(tx, row))) throw new AppError('assistant.exists')
    await audit(deps, tx, {
      actor,
      action: 'assistant.created',
      object: { type: 'assistant', id: row.id, name: row.name },
      after: auditSnapshot(row),
    })
  })
  // Channels may have used the id before the assistant existed.
  return presentPreset((await findPreset(deps.db, row.id)) ?? { ...row, channel_count: 0 })
}

export function changePreset(deps: Deps, actor: Actor, id: string, input: PresetInput): Promise<Preset> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAssistants(tx)
    const preset = await findPreset(tx, id)
    if (!preset) throw notFound()
    if (preset.assistant_id !== input.assistantId) {
      if (preset.channel_count > 0) throw createInUseError(preset.channel_count, 'change its ID')
      if ((await findPresetsByAssistantId(tx, [input.assistantId])).size > 0)
        throw new AppError('assistant.exists')
    }
    await updatePreset(tx, id, { ...toColumns(input), updated_at: deps.now() })
    const changed = await findPreset(tx, id)
    if (!changed) throw notFound()
    const changes = findChanges(auditSnapshot(preset), auditSnapshot(changed))
    if (changes)
      await audit(deps, tx, {
        actor,
        action: 'assistant.changed',
        object: { type: 'assistant', id, name: preset.name },
        ...changes,
      })
    return presentPreset(changed)
  })
}

export function removePreset(deps: Deps, actor: Actor, id: string): Promise<{ message: string }> {
  return deps.db.transaction().execute(async (tx) => {
    const preset = await findPreset(tx, id)
    if (!preset) throw notFound()
    if (!(await deleteUnusedPreset(tx, id))) {
      const current = await findPreset(tx, id)
      if (!current) throw notFound()
      throw createInUseError(Math.max(1, current.channel_count), 'delete it')
    }
    const { name } = preset
    await audit(deps, tx, { actor, action: 'assistant.deleted', object: { type: 'assistant', id, name } })
    return { message: `“${name}” was deleted` }
  })
}
