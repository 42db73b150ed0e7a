const remedy = 'Choose a ready-made assistant in Settings, or set ASSISTANTS_BASE_URL'

/** The warning for an unknown id if no assistants server is configured. */
export function unknownAssistantWarning(assistantId: string): string {
  return `There is no assistant with the id “${assistantId}”. OpenAI stopped serving assistant ids on 26 August 2026. ${remedy}.`
}

export function unknownToServerWarning(assistantId: string): string {
  return `The assistants server has no assistant with the id “${assistantId}”. ${remedy} to a server that has it.`
}

export const noModelWarning = 'No language model is configured, so this assistant cannot answer.'
