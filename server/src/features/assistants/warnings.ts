const remedy = 'choose a ready-made assistant in Settings, or set ASSISTANTS_BASE_URL'

/** The warning for an id that is no ready-made assistant if no assistants server is configured. */
export function unknownAssistantWarning(assistantId: string): string {
  return `Nobody answers for the assistant id “${assistantId}”. OpenAI stopped serving assistant ids on 26 August 2026: ${remedy}.`
}

export function unknownToServerWarning(assistantId: string): string {
  return `The server of assistants knows none with the id “${assistantId}”: ${remedy} to the server that does.`
}

export const noModelWarning = 'No language model is configured, so this assistant cannot answer.'
