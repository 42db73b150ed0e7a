import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'

interface Props {
  label: string
  isBusy: boolean
  maySave: boolean
}

/** The button of a form; who may not press it is told why. */
export function SaveBar({ label, isBusy, maySave }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button type="submit" variant="primary" busy={isBusy} aria-disabled={!maySave}>
        {label}
      </Button>
      {!maySave && <p className="text-muted text-sm">{texts.permissions.manageSettings}</p>}
    </div>
  )
}
