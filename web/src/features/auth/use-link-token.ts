import { useEffect, useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { useHandedOn } from '#lib/router.tsx'

function keptToken(state: unknown): string | null {
  return typeof state === 'object' &&
    state !== null &&
    'linkToken' in state &&
    typeof state.linkToken === 'string'
    ? state.linkToken
    : null
}

/**
 * The secret of a link, from `/screen/:token` or `?token=`. It leaves the address at once, so that it ends up in no
 * history, screenshot or referrer; the tab's own history entry keeps it for a reload.
 */
export function useLinkToken(screen: string): string {
  const [, navigate] = useLocation()
  const handedOn = useHandedOn()
  const { token: inPath } = useParams()
  const [query] = useSearchParams()
  const inAddress = inPath ?? query.get('token')
  const [token] = useState(inAddress ?? keptToken(handedOn) ?? '')
  useEffect(() => {
    if (inAddress !== null) navigate(screen, { replace: true, state: { linkToken: inAddress } })
  }, [inAddress, navigate, screen])
  return token
}
