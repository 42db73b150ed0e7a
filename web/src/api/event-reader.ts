/**
 * Takes what the events of a stream carry out of it, in whatever pieces it arrives. Names and numbers of events are not
 * looked at: the server writes both into what an event carries.
 */
export function createEventReader() {
  let waiting = ''
  let data: string[] = []

  return (arrived: string): string[] => {
    // A return at the very end may be the first half of a line end.
    const lines = (waiting + arrived).split(/\r\n|\n|\r(?!$)/)
    waiting = lines.pop() ?? ''
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
