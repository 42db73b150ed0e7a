import { addIndexes } from '../index-step.ts'

/** Finds the visitors of a channel, and those who have not asked anything for long. */
export const usersByVisitorChannel = addIndexes({
  name: 'users_by_visitor_channel',
  table: 'users',
  columns: ['visitor_channel_id', 'last_seen_at'],
  withoutNull: 'visitor_channel_id',
})
