/** A boolean, stored as a number on both databases. */
export type Flag = 0 | 1
