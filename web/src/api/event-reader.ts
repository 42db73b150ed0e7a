/**
 * Extracts the data of server-sent events from a stream that arrives in arbitrary chunks. The event and id fields are
 * ignored: the server repeats both in the data.
 */
export function createEventReader() {
  let rest = ''
  let data: string[] = []

  return (chunk: string): string[] => {
    // A trailing \r may be the first half of \r\n.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const events: string[] = []
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line === '' && data.length > 0) {
        events.push(data.join('\n'))
        data = []
      }
    }
    return events
  }
}
