/** Exit code of a child that cannot read its picture, as opposed to one that failed to start. */
export const unreadableExitCode = 3
