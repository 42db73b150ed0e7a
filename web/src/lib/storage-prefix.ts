/** The address of the chat on other sites. Its popup, `/embed/<id>/sign-in`, is a page of the application. */
const channelId = /^\/embed\/([^/]+)\/?$/.exec(location.pathname)?.[1]

/**
 * The first part of the names of storage keys and broadcast channels. The chat on other sites has names of its own: a
 * browser that gives it the storage of the application must not sign it in, and must not let it sign the application
 * out.
 */
export const storagePrefix = channelId === undefined ? 'lyceum' : `lyceum.embed.${channelId}`
