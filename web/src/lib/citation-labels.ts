import { formatCount } from './format-count.ts'

/** For administrators: citations that the model should have confirmed. */
export function describeUnchecked(count: number): string {
  return `The model did not check ${formatCount(count, 'citation')}, so only words were compared.`
}
