/** A piece of highlighted code: text, or pieces that share a color. */
export type CodeToken = string | { scope?: string; language?: string; children: CodeToken[] }

const keyword = 'text-[#a0287f] dark:text-[#f19cdb]'
const literal = 'text-[#0b5cad] dark:text-[#82bdff]'
const string = 'text-[#0f6b3a] dark:text-[#86d9a5]'
const name = 'text-[#6a3fb5] dark:text-[#c9b1ff]'
const attribute = 'text-[#8a4b00] dark:text-[#f2b880]'
const comment = 'italic text-muted'

const colors: Record<string, string> = {
  keyword,
  'selector-tag': keyword,
  'template-tag': keyword,
  tag: keyword,
  number: literal,
  literal,
  symbol: literal,
  type: literal,
  built_in: literal,
  variable: attribute,
  string,
  regexp: string,
  char: string,
  title: name,
  section: name,
  name,
  attr: attribute,
  attribute,
  property: attribute,
  meta: attribute,
  'selector-class': attribute,
  'selector-id': attribute,
  comment,
  quote: comment,
  doctag: comment,
}

/** Returns the CSS classes for a scope such as `title.function`. */
export function getTokenColor(scope: string | undefined): string | undefined {
  return colors[scope?.split('.')[0] ?? '']
}
