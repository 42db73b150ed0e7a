interface Origin {
  isByHand: boolean
  issuers: readonly { name: string }[]
}

/** Says who added a member. */
export function describeOrigin({ isByHand, issuers }: Origin): string {
  return [...(isByHand ? ['Added by hand'] : []), ...issuers.map(({ name }) => `From ${name}`)].join(', ')
}
