/** Shorter ones are refused for their length already. */
const shortest = 8

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= shortest))
}

let list: Promise<ReadonlySet<string>> | undefined

/** Whether it is among the passwords that are tried first, in whatever case. The list is read when first asked for. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load()
  return (await list).has(password.toLowerCase())
}
