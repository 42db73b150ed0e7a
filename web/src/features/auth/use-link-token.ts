import { useEffect, useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { useNavigationState } from '#lib/router.tsx'

function readTokenFromHistory(state: unknown): string | null {
  return typeof state === 'object' &&
    state !== null &&
    'linkToken' in state &&
    typeof state.linkToken === 'string'
    ? state.linkToken
    : null
}

/**
 * The secret token of a link, from `/screen/:token` or `?token=`. It is removed from the URL immediately, so that
 * it appears in no history, screenshot or referrer. The state of the history entry keeps it for a reload.
 */
export function useLinkToken(screen: string): string {
  const [, navigate] = useLocation()
  const historyState = useNavigationState()
  const { token: pathToken } = useParams()
  const [query] = useSearchParams()
  const urlToken = pathToken ?? query.get('token')
  const [token] = useState(urlToken ?? readTokenFromHistory(historyState) ?? '')
  useEffect(() => {
    if (urlToken !== null) navigate(screen, { replace: true, state: { linkToken: urlToken } })
  }, [urlToken, navigate, screen])
  return token
}
