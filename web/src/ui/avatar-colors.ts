/** Background and text in both themes. Whole class names, because the style sheet contains only those it finds. */
export const avatarColors = [
  'bg-[#dbeafe] text-[#1e40af] dark:bg-[#1e3a8a] dark:text-[#bfdbfe]',
  'bg-[#ede9fe] text-[#5b21b6] dark:bg-[#4c1d95] dark:text-[#ddd6fe]',
  'bg-[#fce7f3] text-[#9d174d] dark:bg-[#831843] dark:text-[#fbcfe8]',
  'bg-[#ffedd5] text-[#9a3412] dark:bg-[#7c2d12] dark:text-[#fed7aa]',
  'bg-[#ecfccb] text-[#3f6212] dark:bg-[#365314] dark:text-[#d9f99d]',
  'bg-[#d1fae5] text-[#065f46] dark:bg-[#064e3b] dark:text-[#a7f3d0]',
  'bg-[#cffafe] text-[#155e75] dark:bg-[#164e63] dark:text-[#a5f3fc]',
  'bg-[#e2e8f0] text-[#334155] dark:bg-[#334155] dark:text-[#e2e8f0]',
] as const

/** Always the same color for an id. */
export function getAvatarColor(id: string): string {
  let hash = 0
  for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  // Mixes the high bits in: ids that were made in a row differ only in a few characters.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
  return avatarColors[(hash >>> 8) % avatarColors.length] ?? avatarColors[0]
}
