interface Origin {
  isByHand: boolean
  issuers: readonly { name: string }[]
  directory?: string | undefined
}

/** Whether a member comes from elsewhere, too, which is unusual enough to be said. */
export function hasOtherOrigin({ issuers, directory }: Origin): boolean {
  return issuers.length > 0 || directory !== undefined
}

/** Says who added a member. */
export function describeOrigin({ isByHand, issuers, directory }: Origin): string {
  const sources = [...issuers.map(({ name }) => name), ...(directory === undefined ? [] : [directory])]
  return [...(isByHand ? ['Added manually'] : []), ...sources.map((name) => `From ${name}`)].join(', ')
}
