import { answerTextMaximum } from '@lyceum/contract/test-questions'
import { useState } from 'react'
import { Field } from '#ui/Field.tsx'
import { TextArea } from '#ui/TextArea.tsx'

interface Props {
  label: string
  explanation?: string
  name: string
  lines: readonly string[]
  error: string | undefined
  onChange: (lines: string[]) => void
}

/** A few texts, one per line. Empty lines do not count. */
export function LinesField({ label, explanation = '', name, lines, error, onChange }: Props) {
  const [text, setText] = useState(lines.join('\n'))
  return (
    <Field
      label={label}
      hint={`One text per line, at most ${answerTextMaximum}. ${explanation}`.trim()}
      error={error}
    >
      {(control) => (
        <TextArea
          {...control}
          name={name}
          dir="auto"
          rows={2}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            onChange(target.value.split('\n').filter((line) => line.trim() !== ''))
          }}
        />
      )}
    </Field>
  )
}
