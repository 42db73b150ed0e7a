import { ShieldCheck, ShieldOff } from 'lucide-react'

interface Props {
  isEnabled: boolean
  days: number
}

/** Tells an invitee what signing in will ask of them. */
export const TwoFactorNote = ({ isEnabled, days }: Props) => {
  const Icon = isEnabled ? ShieldCheck : ShieldOff
  return (
    <div className="flex items-start gap-3 rounded-card border border-hairline bg-surface px-4 py-3 text-sm">
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
      <div>
        <p className="font-medium">Two-factor authentication is {isEnabled ? 'enabled' : 'disabled'}</p>
        {isEnabled && (
          <p className="text-muted">
            Expires after {days} {days === 1 ? 'day' : 'days'}
          </p>
        )}
      </div>
    </div>
  )
}
