import type { ReactNode } from 'react'

/** The field to write in, and who may read what is written. */
export const ChatFoot = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto w-full max-w-3xl px-4 pt-2 pb-2 md:px-6">
    {children}
    <p className="mt-2 text-center text-muted text-xs">Conversations may be reviewed by administrators</p>
  </div>
)
