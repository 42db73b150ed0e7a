import type { CreatedApiKey } from '@lyceum/contract/api-keys'
import { ShownOnceDialog } from '#ui/ShownOnceDialog.tsx'
import { KeyGuide } from './KeyGuide.tsx'

interface Props {
  created: CreatedApiKey
  finalFocus: () => HTMLElement | boolean
  onClose: () => void
}

/** Shows a new key with how to use it. */
export function KeyDialog({ created: { name, scopes, key }, finalFocus, onClose }: Props) {
  return (
    <ShownOnceDialog
      title="API key created"
      description={<bdi className="wrap-anywhere">{name}</bdi>}
      label="API key"
      noun="key"
      value={key}
      remedy="revoke it and create another one"
      finalFocus={finalFocus}
      onClose={onClose}
    >
      <KeyGuide scopes={scopes} />
    </ShownOnceDialog>
  )
}
