import type { User } from '@lyceum/contract/auth'

/** Whom a window is about. */
export const UserLine = ({ user }: { user: User }) => (
  <span dir="auto" className="wrap-anywhere line-clamp-2 text-start">
    {user.name} · {user.email}
  </span>
)
