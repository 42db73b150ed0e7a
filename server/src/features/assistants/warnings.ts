// These sentences appear in the channel form, in the list of channels and after a channel was saved.

const remedy = 'Choose a ready-made assistant from the list.'

/** The warning for an unknown id if no assistants server is configured. */
export function unknownAssistantWarning(assistantId: string): string {
  return `No assistant has the ID “${assistantId}”, so this channel cannot answer. ${remedy}`
}

export function unknownToServerWarning(assistantId: string): string {
  return `The assistants server has no assistant with the ID “${assistantId}”, so this channel cannot answer. ${remedy}`
}

export const noModelWarning = 'No language model is configured, so this assistant cannot answer.'
