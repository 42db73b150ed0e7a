/** The user that a dialog is about. */
export function UserLine({ user }: { user: { name: string; email: string } }) {
  return (
    <span className="wrap-anywhere line-clamp-2">
      <bdi>{user.name}</bdi> · {user.email}
    </span>
  )
}
