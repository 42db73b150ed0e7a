import type { Preset } from '@lyceum/contract/assistants'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useRemovePreset } from './mutations.ts'

interface Props {
  preset: Preset
  onClose: () => void
}

export const DeletePresetDialog = ({ preset, onClose }: Props) => {
  const remove = useRemovePreset()
  return (
    <ConfirmDialog
      open
      title="Delete this assistant?"
      confirmLabel="Delete assistant"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(preset, { onSettled: onClose })}
      onCancel={onClose}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-4 text-start font-medium text-ink">
        {preset.name}
      </p>
      <p className="mt-1">Its instructions go for good. No channel uses it.</p>
    </ConfirmDialog>
  )
}
