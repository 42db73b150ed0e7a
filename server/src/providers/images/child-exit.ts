/** How a child says that its picture cannot be read, in difference to a child that could not even begin. */
export const unreadableExit = 3
