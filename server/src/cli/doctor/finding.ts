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

export const ok = (words: string): Omit<Finding, 'about'> => ({ level: 'ok', words })
export const warning = (words: string): Omit<Finding, 'about'> => ({ level: 'warning', words })
export const problem = (words: string): Omit<Finding, 'about'> => ({ level: 'problem', words })

export const look = async ({ about, look }: Check): Promise<Finding> => {
  try {
    return { about, ...(await look()) }
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string }
    return { about, ...problem(message || code || String(error)) }
  }
}
