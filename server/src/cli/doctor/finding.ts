export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  /** What was checked. */
  about: string
  text: string
}

/** One check. If it throws, the error message is reported as a problem. */
export interface Check {
  about: string
  run(): Promise<Omit<Finding, 'about'>>
}

export function ok(text: string): Omit<Finding, 'about'> {
  return { level: 'ok', text }
}
export function warning(text: string): Omit<Finding, 'about'> {
  return { level: 'warning', text }
}
export function problem(text: string): Omit<Finding, 'about'> {
  return { level: 'problem', text }
}

export async function runCheck({ about, run }: Check): Promise<Finding> {
  try {
    return { about, ...(await run()) }
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string }
    return { about, ...problem(message || code || String(error)) }
  }
}
