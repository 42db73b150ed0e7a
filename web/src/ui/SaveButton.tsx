import type { ComponentProps, MouseEvent } from 'react'
import { Button } from './Button.tsx'

interface Props extends Omit<ComponentProps<typeof Button>, 'type' | 'variant'> {
  /** Whether there is something to save. */
  isChanged: boolean
}

function ignore(event: MouseEvent): void {
  event.preventDefault()
}

/** Saves a form. While nothing is changed it does nothing, also with the Enter key, but keeps the focus. */
export function SaveButton({ isChanged, onClick, ...rest }: Props) {
  return (
    <Button
      {...rest}
      type="submit"
      variant="primary"
      onClick={isChanged ? onClick : ignore}
      aria-disabled={!isChanged || rest['aria-disabled'] === true}
    />
  )
}
