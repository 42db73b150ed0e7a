const remedy = 'choose a ready-made assistant in Settings, or set ASSISTANTS_BASE_URL'

/** No assistant of our own, and no server to ask. */
export const noSuchAssistant = (assistantId: string): string =>
  `Nobody answers for the assistant id “${assistantId}”. OpenAI stopped serving assistant ids on 26 August 2026: ${remedy}.`

export const unknownToServer = (assistantId: string): string =>
  `The server of assistants knows none with the id “${assistantId}”: ${remedy} to the server that does.`

export const noModel = 'No language model is configured, so this assistant cannot answer.'
