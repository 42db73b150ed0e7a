// These sentences appear in the channel form, in the list of channels and after a channel was saved.

/** Ready-made assistants need a model. */
function findRemedy(hasModel: boolean): string {
  return hasModel
    ? 'Choose a ready-made assistant from the list.'
    : 'Make it a custom channel with documents, or connect a model and choose a ready-made assistant.'
}

/** The warning for an unknown id if no assistants server is configured. */
export function unknownAssistantWarning(assistantId: string, hasModel: boolean): string {
  return `No assistant has the ID “${assistantId}”, so this channel cannot answer. ${findRemedy(hasModel)}`
}

export function unknownToServerWarning(assistantId: string, hasModel: boolean): string {
  return `The assistants server has no assistant with the ID “${assistantId}”, so this channel cannot answer. ${findRemedy(hasModel)}`
}

export const noModelWarning = 'No model is connected, so this assistant cannot answer.'
