import { Button } from '#ui/Button.tsx'
import { messages } from '../../messages/admin.ts'

interface Props {
  label: string
  isBusy: boolean
  maySave: boolean
}

/** The button of a form; who may not press it is told why. */
export const SaveBar = ({ label, isBusy, maySave }: Props) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <Button type="submit" variant="primary" busy={isBusy} aria-disabled={!maySave}>
      {label}
    </Button>
    {!maySave && <p className="text-muted text-sm">{messages.permissions.manageSettings}</p>}
  </div>
)
