/** The user that a dialog is about. */
export function UserLine({ user }: { user: { name: string; email: string } }) {
  return (
    <span dir="auto" className="wrap-anywhere line-clamp-2 text-start">
      {user.name} · {user.email}
    </span>
  )
}
