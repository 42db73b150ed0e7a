import { addIndexes } from '../index-step.ts'

/** Finds what a group gave to its members. */
export const grantsBySource = addIndexes({
  name: 'access_grants_by_source',
  table: 'access_grants',
  columns: ['source', 'target'],
})
