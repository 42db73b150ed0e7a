/** The `source` of a membership in a group that an administrator gave. */
export const byHand = 'hand'
