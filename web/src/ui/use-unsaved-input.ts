import { useState } from 'react'
import { useLeaveGuard } from '#lib/leave-guard.ts'

interface Options {
  /** Whether closing or leaving would lose input. */
  isChanged: boolean
  /** Then the user may leave the page: what is being saved may lead to another one. */
  isSaving: boolean
  onClose: () => void
}

/** Asks before input in a dialog is lost, when the dialog is closed and when the user leaves the page. */
export function useUnsavedInput({ isChanged, isSaving, onClose }: Options) {
  const [isClosing, setIsClosing] = useState(false)
  const { isAsking, leave, stay } = useLeaveGuard(isChanged && !isSaving)
  return {
    /** Closes the dialog, or asks first. */
    close: (): void => (isChanged ? setIsClosing(true) : onClose()),
    /** Properties of the `DiscardDialog`. */
    question: {
      open: isClosing || isAsking,
      onDiscard: isAsking ? leave : onClose,
      onKeep: (): void => {
        setIsClosing(false)
        stay()
      },
    },
  }
}
