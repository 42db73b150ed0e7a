import { type TestQuestion, type TestQuestionInput, testQuestionInput } from '@lyceum/contract/test-questions'
import { useState } from 'react'
import * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { banner } from '#ui/banner.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { LinesField } from './LinesField.tsx'
import { useSaveQuestion } from './mutations.ts'
import { type DocumentChoice, TestBenchDocuments } from './TestBenchDocuments.tsx'

/** The form's initial values: a saved question, or a new one with `_id` null. */
export type QuestionDraft = Omit<TestQuestion, '_id' | 'updatedAt'> & { _id: string | null }

/** Without what is hidden: the form keeps it, so that unticking the box brings it back. */
function toUnanswerable({ question }: TestQuestionInput): TestQuestionInput {
  return { question, expectedDocumentIds: [], isUnanswerable: true }
}

const formSchema = z.pipe(
  z.transform((values: TestQuestionInput) => (values.isUnanswerable ? toUnanswerable(values) : values)),
  testQuestionInput,
)

interface Props {
  channelId: string
  draft: QuestionDraft
  onClose: () => void
}

export function TestBenchForm({ channelId, draft, onClose }: Props) {
  const [selected, setSelected] = useState<DocumentChoice[]>(
    draft.expected.filter(({ isDeleted }) => !isDeleted),
  )
  const [initialValues] = useState<TestQuestionInput>(() => ({
    question: draft.question,
    expectedDocumentIds: selected.map(({ _id }) => _id),
    mustContain: draft.mustContain,
    mustNotContain: draft.mustNotContain,
    isUnanswerable: draft.isUnanswerable,
  }))
  const form = useSchemaForm<TestQuestionInput, TestQuestionInput>(formSchema, initialValues)
  // Saving then removes them, even if nothing else is changed.
  const hasDeleted = draft.expected.some(({ isDeleted }) => isDeleted)
  const isUnanswerable = form.values.isUnanswerable === true
  const save = useSaveQuestion(channelId, draft._id)
  const [refusal, setRefusal] = useState<string | null>(null)

  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.testBench.save.failed))
      return
    }
    banner.success(texts.testBench.save.done)
    onClose()
  })
  function toggle(document: DocumentChoice, isSelected: boolean): void {
    const others = selected.filter(({ _id }) => _id !== document._id)
    const next = isSelected ? [...others, document] : others
    setSelected(next)
    form.set(
      'expectedDocumentIds',
      next.map(({ _id }) => _id),
    )
  }

  return (
    <FormDialog
      title={draft._id === null ? 'Add Question' : 'Edit Question'}
      isChanged={JSON.stringify(form.values) !== JSON.stringify(initialValues)}
      canSubmitUnchanged={draft._id === null || hasDeleted}
      unsavedText="The question has not been saved."
      submitLabel="Save Question"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      {hasDeleted && <Banner tone="warning">An expected document has been deleted.</Banner>}
      <Field label="Question" hint="Write it as users would ask it." error={form.errors.question}>
        {(control) => <TextArea {...control} {...form.field('question')} dir="auto" rows={2} />}
      </Field>
      <Checkbox
        name="isUnanswerable"
        label="No document answers it"
        hint="The question passes if it is refused. Once five such questions and five with an answer have been run, the channel learns from them when to refuse."
        checked={isUnanswerable}
        onChange={({ target }) => form.set('isUnanswerable', target.checked)}
      />
      {!isUnanswerable && (
        <>
          <TestBenchDocuments
            channelId={channelId}
            selected={selected}
            onToggle={toggle}
            error={form.errors.expectedDocumentIds}
          />
          <LinesField
            label="The answer must contain (optional)"
            explanation="The answer is what would be quoted without a model."
            name="mustContain"
            lines={form.values.mustContain ?? []}
            error={form.errors.mustContain}
            onChange={(lines) => form.set('mustContain', lines)}
          />
          <LinesField
            label="It must not contain (optional)"
            name="mustNotContain"
            lines={form.values.mustNotContain ?? []}
            error={form.errors.mustNotContain}
            onChange={(lines) => form.set('mustNotContain', lines)}
          />
        </>
      )}
    </FormDialog>
  )
}
