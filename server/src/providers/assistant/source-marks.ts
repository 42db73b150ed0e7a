const mark = /【[^【】\n]{0,60}†[^【】\n]{0,60}】/
/** The longest text that can still become a mark. */
const maxMarkLength = 124

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function trimBlanksAtEnd(text: string): string {
  let end = text.length
  while (isBlank(text[end - 1])) end -= 1
  return text.slice(0, end)
}

function removeMarks(text: string): string {
  const parts = text.split(mark)
  return parts.map((part, at) => (at === parts.length - 1 ? part : trimBlanksAtEnd(part))).join('')
}

/** Returns the start of the trailing text that must wait for more input: blanks or a possible mark. */
function findUndecidedStart(text: string): number {
  const opened = text.lastIndexOf('【')
  const isOpen = opened >= 0 && text.length - opened < maxMarkLength && !/[】\n]/.test(text.slice(opened))
  return trimBlanksAtEnd(isOpen ? text.slice(0, opened) : text).length
}

/**
 * Removes the marks with which an external assistant refers to its own files, such as 【4:0†source】, together with the
 * blanks before them. They would lead nowhere here.
 */
export function createSourceMarkFilter(): { push(text: string): string; end(): string } {
  let waiting = ''
  return {
    push(text) {
      const clean = removeMarks(waiting + text)
      const from = findUndecidedStart(clean)
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
