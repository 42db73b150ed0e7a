import { type Preset, type PresetInput, presetMaximum } from '@lyceum/contract/assistants'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { columnsOf, presentPreset } from './preset-row.ts'
import {
  countPresets,
  deleteUnusedPreset,
  findPreset,
  holdAssistants,
  insertPreset,
  listPresets,
  presetsNamed,
  updatePreset,
} from './store.ts'

export const presets = async ({ db }: Deps): Promise<Preset[]> =>
  (await listPresets(db, presetMaximum)).map(presentPreset)

const inUse = (count: number, verb: string): AppError => {
  const channels = count === 1 ? 'One channel uses' : `${count} channels use`
  return new AppError('assistant.in_use', {
    message: `${channels} this assistant. Choose another one there before you ${verb}.`,
  })
}

export const createPreset = async (deps: Deps, input: PresetInput): Promise<Preset> => {
  const now = deps.now()
  const row = { id: uuidv7(), ...columnsOf(input), created_at: now, updated_at: now }
  await deps.db.transaction().execute(async (tx) => {
    await holdAssistants(tx)
    if ((await countPresets(tx)) >= presetMaximum) throw new AppError('assistant.full')
    if (!(await insertPreset(tx, row))) throw new AppError('assistant.exists')
  })
  // Channels may have named it before it was there.
  return presentPreset((await findPreset(deps.db, row.id)) ?? { ...row, channel_count: 0 })
}

export const changePreset = (deps: Deps, id: string, input: PresetInput): Promise<Preset> =>
  deps.db.transaction().execute(async (tx) => {
    await holdAssistants(tx)
    const preset = await findPreset(tx, id)
    if (!preset) throw notFound()
    if (preset.assistant_id !== input.assistantId) {
      if (preset.channel_count > 0) throw inUse(preset.channel_count, 'change its id')
      if ((await presetsNamed(tx, [input.assistantId])).size > 0) throw new AppError('assistant.exists')
    }
    await updatePreset(tx, id, { ...columnsOf(input), updated_at: deps.now() })
    const changed = await findPreset(tx, id)
    if (!changed) throw notFound()
    return presentPreset(changed)
  })

export const removePreset = async (deps: Deps, id: string): Promise<{ message: string }> => {
  const preset = await findPreset(deps.db, id)
  if (!preset) throw notFound()
  if (!(await deleteUnusedPreset(deps.db, id))) {
    const kept = await findPreset(deps.db, id)
    if (!kept) throw notFound()
    throw inUse(Math.max(1, kept.channel_count), 'delete it')
  }
  return { message: `“${preset.name}” was deleted` }
}
