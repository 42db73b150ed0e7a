const mark = /【[^【】\n]{0,60}†[^【】\n]{0,60}】/
/** The longest text that may still turn out to be a mark. */
const longest = 124

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length
  while (isBlank(text[end - 1])) end -= 1
  return text.slice(0, end)
}

function withoutMarks(text: string): string {
  const parts = text.split(mark)
  return parts.map((part, at) => (at === parts.length - 1 ? part : withoutBlanksAtEnd(part))).join('')
}

/** Where the end of a text begins that must wait for what follows: blanks, or what may become a mark. */
function undecidedFrom(text: string): number {
  const opened = text.lastIndexOf('【')
  const isOpen = opened >= 0 && text.length - opened < longest && !/[】\n]/.test(text.slice(opened))
  return withoutBlanksAtEnd(isOpen ? text.slice(0, opened) : text).length
}

/**
 * Takes the marks out by which an external assistant refers to files of its own, such as 【4:0†source】: here they lead
 * nowhere. The blanks before a mark go with it.
 */
export function createMarkFilter(): { push(text: string): string; end(): string } {
  let waiting = ''
  return {
    push(text) {
      const clean = withoutMarks(waiting + text)
      const from = undecidedFrom(clean)
      waiting = clean.slice(from)
      return clean.slice(0, from)
    },
    end() {
      const rest = waiting
      waiting = ''
      return rest
    },
  }
}
