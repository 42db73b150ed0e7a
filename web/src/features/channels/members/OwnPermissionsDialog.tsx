import type { Permission } from '@lyceum/contract/permissions'
import { Check, X } from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Status } from '#ui/Status.tsx'

const listedPermissions: readonly { permission: Permission; label: string }[] = [
  { permission: 'canManageChannels', label: 'Manage Channels' },
  { permission: 'canCreateChannels', label: 'Create Channels' },
  { permission: 'canEditChannels', label: 'Edit Channels' },
  { permission: 'canDeleteChannels', label: 'Delete Channels' },
  { permission: 'canManageUsers', label: 'Manage Users' },
  { permission: 'canUploadDocuments', label: 'Upload Documents' },
]

interface Props {
  open: boolean
  onClose: () => void
}

/** Lists the signed-in administrator's own permissions, read-only. */
export function OwnPermissionsDialog({ open, onClose }: Props) {
  const can = usePermissionCheck()
  return (
    <Dialog open={open} onClose={onClose} title="Admin Permissions" size="small">
      <ul className="divide-y divide-hairline">
        {listedPermissions.map(({ permission, label }) => (
          <li key={permission} className="flex items-center justify-between gap-4 py-2.5">
            <span>{label}</span>
            {can(permission) ? (
              <Status tone="success" icon={Check}>
                Allowed
              </Status>
            ) : (
              <Status tone="danger" icon={X}>
                Denied
              </Status>
            )}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-muted text-sm">Only a system administrator can change these permissions.</p>
    </Dialog>
  )
}
