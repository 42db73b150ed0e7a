/** On both databases a number. */
export type Flag = 0 | 1
