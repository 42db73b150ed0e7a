// These sentences appear in the channel form, in the list of channels and after a channel was saved.

const remedy = 'Choose a ready-made assistant for this channel, or set ASSISTANTS_BASE_URL'

/** The warning for an unknown id if no assistants server is configured. */
export function unknownAssistantWarning(assistantId: string): string {
  return `No assistant has the ID “${assistantId}”. OpenAI has not served assistants by ID since August 26, 2026. ${remedy} on the server.`
}

export function unknownToServerWarning(assistantId: string): string {
  return `The assistants server has no assistant with the ID “${assistantId}”. ${remedy} to a server that has it.`
}

export const noModelWarning = 'No language model is configured, so this assistant cannot answer.'
