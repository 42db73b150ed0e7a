export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  /** What was looked at. */
  about: string
  words: string
}

/** One thing to look at; what it throws is a problem in its own words. */
export interface Check {
  about: string
  look(): Promise<Omit<Finding, 'about'>>
}

export function ok(words: string): Omit<Finding, 'about'> {
  return { level: 'ok', words }
}
export function warning(words: string): Omit<Finding, 'about'> {
  return { level: 'warning', words }
}
export function problem(words: string): Omit<Finding, 'about'> {
  return { level: 'problem', words }
}

export async function look({ about, look }: Check): Promise<Finding> {
  try {
    return { about, ...(await look()) }
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string }
    return { about, ...problem(message || code || String(error)) }
  }
}
