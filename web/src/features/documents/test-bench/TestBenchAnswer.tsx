import type { TestAnswer } from '@lyceum/contract/test-questions'

/** What a channel without a model would reply. */
export function TestBenchAnswer({ answer: { isRefused, quotes } }: { answer: TestAnswer }) {
  if (isRefused) return <p className="mb-2 text-muted text-sm">Refused: no passage matches it well enough.</p>
  return (
    <ul aria-label="Quoted without a model" className="mb-2 flex flex-col gap-2">
      {quotes.map(({ documentId, title, text }) => (
        <li key={`${documentId} ${text}`} className="border-link/50 border-s-2 ps-3 text-sm">
          <p dir="auto" className="wrap-anywhere text-start">
            {text}
          </p>
          <p dir="auto" className="wrap-anywhere text-start text-muted text-xs">
            {title}
          </p>
        </li>
      ))}
    </ul>
  )
}
