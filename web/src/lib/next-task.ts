/** Lets the browser respond to the user and paint before the code goes on. Unlike a timer, it does not wait in hidden tabs. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
