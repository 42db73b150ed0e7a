import { useHandedOn } from '#lib/router.tsx'

/** What a link hands to the next screen, so that nobody types their address twice. */
export function withTypedEmail(email: string): { typedEmail: string } {
  return { typedEmail: email }
}

/** The address that was typed on the screen before, or nothing. */
export function useTypedEmail(): string {
  const state = useHandedOn()
  return typeof state === 'object' &&
    state !== null &&
    'typedEmail' in state &&
    typeof state.typedEmail === 'string'
    ? state.typedEmail
    : ''
}
