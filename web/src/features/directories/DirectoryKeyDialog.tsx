import type { DirectoryKey } from '@lyceum/contract/directories'
import { CopyButton } from '#ui/CopyButton.tsx'
import { ShownOnceDialog } from '#ui/ShownOnceDialog.tsx'

/** The address that directories call, with a button to copy it. */
export function ScimAddress({ url }: { url: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="text-muted">SCIM address</span>
      <code className="wrap-anywhere">{url}</code>
      <CopyButton label="Copy the SCIM address" text={() => url} />
    </div>
  )
}

interface Props {
  created: DirectoryKey
  finalFocus: () => HTMLElement | boolean
  onClose: () => void
}

/** Shows a new key of a directory, with what to enter there. */
export function DirectoryKeyDialog({ created: { name, scimUrl, key }, finalFocus, onClose }: Props) {
  return (
    <ShownOnceDialog
      title="Key created"
      description={<bdi className="wrap-anywhere">{name}</bdi>}
      label="Key"
      noun="key"
      value={key}
      remedy="revoke it and create another one"
      finalFocus={finalFocus}
      onClose={onClose}
    >
      <ScimAddress url={scimUrl} />
      <p className="mt-2 text-muted text-sm">
        Enter both in the directory: the address as the tenant or base URL, the key as the secret or bearer
        token.
      </p>
    </ShownOnceDialog>
  )
}
