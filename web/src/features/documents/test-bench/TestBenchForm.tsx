import { type TestQuestion, type TestQuestionInput, testQuestionInput } from '@lyceum/contract/test-questions'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { banner } from '#ui/banner.ts'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { useSaveQuestion } from './mutations.ts'
import { type DocumentChoice, TestBenchDocuments } from './TestBenchDocuments.tsx'

/** The form's initial values: a saved question, or a new one with `_id` null. */
export type QuestionDraft = Pick<TestQuestion, 'question' | 'expected'> & { _id: string | null }

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
  }))
  const form = useSchemaForm<TestQuestionInput, TestQuestionInput>(testQuestionInput, initialValues)
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
      unsavedText="The question has not been saved."
      submitLabel="Save Question"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      {draft.expected.some(({ isDeleted }) => isDeleted) && (
        <Banner tone="warning">An expected document has been deleted.</Banner>
      )}
      <Field
        label="Question"
        hint="Write it as users would ask it. It counts as found if one of the first ten passages is from an expected document."
        error={form.errors.question}
      >
        {(control) => <TextArea {...control} {...form.field('question')} dir="auto" rows={2} />}
      </Field>
      <TestBenchDocuments
        channelId={channelId}
        selected={selected}
        onToggle={toggle}
        error={form.errors.expectedDocumentIds}
      />
    </FormDialog>
  )
}
