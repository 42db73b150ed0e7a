import type { ComponentProps, MouseEvent } from 'react'
import { Button } from './Button.tsx'
import { toast } from './toast.ts'

interface Props extends Omit<ComponentProps<typeof Button>, 'type' | 'variant' | 'title'> {
  /** Whether there is something to save. */
  isChanged: boolean
}

const unchangedText = 'Nothing to save'

/** Touch screens show no tooltip, so a press says why nothing is saved. */
function explain(event: MouseEvent): void {
  event.preventDefault()
  toast.info(unchangedText)
}

/**
 * Saves a form. While nothing is changed it only says so, also with the Enter key. It keeps the focus.
 */
export function SaveButton({ isChanged, onClick, ...rest }: Props) {
  return (
    <Button
      {...rest}
      type="submit"
      variant="primary"
      title={isChanged ? undefined : unchangedText}
      aria-description={isChanged ? undefined : unchangedText}
      onClick={isChanged ? onClick : explain}
      aria-disabled={!isChanged || rest['aria-disabled'] === true}
    />
  )
}
