import { useHandedOn } from '#lib/router.tsx'

/** What a link hands to the next screen, so that nobody types their address twice. */
export const withTypedEmail = (email: string): { typedEmail: string } => ({ typedEmail: email })

/** The address that was typed on the screen before, or nothing. */
export const useTypedEmail = (): string => {
  const state = useHandedOn()
  return typeof state === 'object' &&
    state !== null &&
    'typedEmail' in state &&
    typeof state.typedEmail === 'string'
    ? state.typedEmail
    : ''
}
