import { useEffect, useEffectEvent, useState } from 'react'

/** Accepts files that are dropped anywhere in the window. Returns whether files are being dragged over it. */
export function useFileDrop(isEnabled: boolean, onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const handleFiles = useEffectEvent(onFiles)
  useEffect(() => {
    if (!isEnabled) return
    /** A dialog over the chat may accept files itself. */
    function concernsChat({ dataTransfer }: DragEvent): boolean {
      return (
        dataTransfer?.types.includes('Files') === true && document.querySelector('[role="dialog"]') === null
      )
    }
    function handleOver(event: DragEvent): void {
      if (!concernsChat(event)) return
      event.preventDefault()
      setIsOver(true)
    }
    function handleLeave({ relatedTarget }: DragEvent): void {
      if (relatedTarget === null) setIsOver(false)
    }
    function handleDrop(event: DragEvent): void {
      setIsOver(false)
      if (!concernsChat(event)) return
      event.preventDefault()
      handleFiles([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', handleOver)
    addEventListener('dragleave', handleLeave)
    addEventListener('drop', handleDrop)
    return () => {
      removeEventListener('dragover', handleOver)
      removeEventListener('dragleave', handleLeave)
      removeEventListener('drop', handleDrop)
    }
  }, [isEnabled])
  return isOver
}
