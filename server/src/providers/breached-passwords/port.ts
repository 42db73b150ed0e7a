/** A collection of passwords that have appeared in data breaches. */
export interface BreachedPasswords {
  /** False if the collection cannot be reached: a failed lookup must not keep anyone from choosing a password. */
  has(password: string): Promise<boolean>
}
