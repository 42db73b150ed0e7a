import type { Permission } from '@lyceum/contract/permissions'
import { Check, X } from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Status } from '#ui/Status.tsx'

const listed: readonly { flag: Permission; label: string }[] = [
  { flag: 'canManageChannels', label: 'Manage Channels' },
  { flag: 'canCreateChannels', label: 'Create Channels' },
  { flag: 'canEditChannels', label: 'Edit Channels' },
  { flag: 'canDeleteChannels', label: 'Delete Channels' },
  { flag: 'canManageUsers', label: 'Manage Users' },
  { flag: 'canUploadDocuments', label: 'Upload Documents' },
]

interface Props {
  open: boolean
  onClose: () => void
}

/** What the signed-in administrator may do here, to read only. */
export function PermissionsDialog({ open, onClose }: Props) {
  const can = usePermissionCheck()
  return (
    <Dialog open={open} onClose={onClose} title="Admin Permissions" size="small">
      <ul className="divide-y divide-hairline">
        {listed.map(({ flag, label }) => (
          <li key={flag} className="flex items-center justify-between gap-4 py-2.5">
            <span>{label}</span>
            {can(flag) ? (
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
      <p className="mt-4 text-muted text-sm">
        These permissions are controlled by a system administrator. Ask one if you need another.
      </p>
    </Dialog>
  )
}
