/** The parts of the profile in their order, by the hash of the URL that leads to them. */
export const profileParts = {
  about: 'About you',
  password: 'Password',
  sessions: 'Where you are signed in',
  browsers: 'Trusted browsers',
  programs: 'Connected programs',
  keys: 'API keys',
} as const
export type ProfilePart = keyof typeof profileParts
