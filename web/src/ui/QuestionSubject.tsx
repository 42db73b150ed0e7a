/** The name of what a question is about, above its text. */
export function QuestionSubject({ name }: { name: string }) {
  return (
    <p className="wrap-anywhere font-medium text-ink">
      <bdi>{name}</bdi>
    </p>
  )
}
