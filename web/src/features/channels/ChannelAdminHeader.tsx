import { Plus, ShieldCheck, Wrench } from 'lucide-react'
import { useCan } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'

interface Props {
  onPermissions: () => void
  onMaintenance: () => void
  onCreate: () => void
}

export function ChannelAdminHeader({ onPermissions, onMaintenance, onCreate }: Props) {
  const canCreate = useCan('canCreateChannels')
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="font-semibold text-2xl">Channel Management</h1>
      {/* On phones, the main action is first and as wide as the other two together. */}
      <div className="grid grid-cols-2 gap-2 max-sm:w-full sm:flex">
        <Button className="max-sm:px-2" onClick={onPermissions}>
          <ShieldCheck aria-hidden="true" className="size-4" />
          Permissions
        </Button>
        <Button className="max-sm:px-2" onClick={onMaintenance}>
          <Wrench aria-hidden="true" className="size-4" />
          Maintenance
        </Button>
        <Button
          variant="primary"
          className="max-sm:-order-1 max-sm:col-span-2"
          disabled={!canCreate}
          title={canCreate ? undefined : texts.permissions.createChannels}
          onClick={onCreate}
        >
          <Plus aria-hidden="true" className="size-4" />
          New Channel
        </Button>
      </div>
    </div>
  )
}
