import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { modelSettingsPath } from '#lib/settings-paths.ts'
import { Link } from '#ui/Link.tsx'

/** For system administrators a link to where a model is connected; for others whom to ask. */
export function ConnectModel() {
  if (!useIsSystemAdmin()) return 'Ask a system administrator to connect one.'
  return (
    <>
      Connect one under{' '}
      <Link to={modelSettingsPath} className="font-medium underline underline-offset-4">
        Connections
      </Link>
      .
    </>
  )
}
