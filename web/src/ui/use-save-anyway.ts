import { useRef, useState } from 'react'

/** Asks before it saves values with which the last test failed. Values changed since that test are saved at once. */
export function useSaveAnyway<V>(save: (values: V) => Promise<void>) {
  const failedWith = useRef<string | null>(null)
  const [asked, setAsked] = useState<V | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  return {
    /** Remembers what a test used and whether it succeeded. */
    noteTest(tested: unknown, isOk: boolean): void {
      failedWith.current = isOk ? null : JSON.stringify(tested)
    },
    /** Saves, or asks first if a test with the same values failed. */
    async submit(values: V, tested: unknown): Promise<void> {
      if (failedWith.current === JSON.stringify(tested)) setAsked(values)
      else await save(values)
    },
    question: {
      open: asked !== null,
      onCancel: () => setAsked(null),
      /** Closes first, so that the focus is back in the form when the form closes or shows an error. */
      async onConfirm() {
        if (asked === null) return
        setAsked(null)
        setIsSaving(true)
        await save(asked)
        setIsSaving(false)
      },
    },
    isSaving,
  }
}

export type SaveAnyway = ReturnType<typeof useSaveAnyway>['question']
