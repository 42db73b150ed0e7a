import { useNavigationState } from '#lib/router.tsx'

/** History state that passes a typed email address to the next screen. */
export function createEmailState(email: string): { typedEmail: string } {
  return { typedEmail: email }
}

/** The email address typed on the previous screen, or an empty string. */
export function useTypedEmail(): string {
  const state = useNavigationState()
  return typeof state === 'object' &&
    state !== null &&
    'typedEmail' in state &&
    typeof state.typedEmail === 'string'
    ? state.typedEmail
    : ''
}
