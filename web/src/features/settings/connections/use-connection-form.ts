import { type ConnectionPart, type Connections, connectionsApi } from '@lyceum/contract/connections'
import type { PartTestResult } from '@lyceum/contract/status'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useDraftForm } from '#lib/form-drafts.tsx'
import { texts } from '#texts/admin.ts'
import { type BannerAction, banner } from '#ui/banner.ts'
import { connectionsQuery } from '../queries.ts'

export interface ConnectionFormProps {
  connections: Connections
}

interface Options<Entries extends Record<string, unknown>, Input> extends ConnectionFormProps {
  part: ConnectionPart
  schema: z.ZodMiniType<Input, Entries>
  toEntries: (connections: Connections) => Entries
  save: (input: Input) => Promise<Connections>
  test: (input: Input) => Promise<PartTestResult>
  /** Uses the saved connection once, so that a mistake shows here and not with a member's next question. */
  tryOut?: (() => Promise<PartTestResult>) | undefined
  /** Offered when the connection was saved. */
  nextStep?: BannerAction | undefined
}

/** The value of the button that tests the values of the form instead of saving them. */
export const testIntent = 'test'

function isTestRequested({ nativeEvent }: FormEvent<HTMLFormElement>): boolean {
  const { submitter } = nativeEvent as SubmitEvent
  return submitter instanceof HTMLButtonElement && submitter.value === testIntent
}

/** A form whose values can be tested before they are saved. */
export function useConnectionForm<Entries extends Record<string, unknown>, Input>({
  part,
  schema,
  connections,
  toEntries,
  save,
  test,
  tryOut,
  nextStep,
}: Options<Entries, Input>) {
  const client = useQueryClient()
  const form = useDraftForm<Entries, Input>(part, schema, toEntries(connections))
  const [testedValues, setTestedValues] = useState<Entries | null>(null)
  function apply(stored: Connections): void {
    client.setQueryData(connectionsQuery().queryKey, stored)
    form.reset(toEntries(stored))
    testing.reset()
    trying.reset()
    refreshScreens()
  }
  /** Many screens depend on whether there is a model or a mail server, and whether it works. */
  function refreshScreens(): void {
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== connectionsQuery().queryKey[0],
    })
  }
  const trying = useMutation({ mutationFn: async () => tryOut?.(), onSettled: refreshScreens })
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (stored) => {
      apply(stored)
      banner.success(texts.connections.save.done, { action: nextStep })
      if (tryOut !== undefined) trying.mutate()
    },
    onError: (error) => {
      if (!form.showFieldErrors(error)) banner.error(messageOf(error, texts.connections.save.failed))
    },
  })
  const testing = useMutation({
    mutationFn: test,
    onError: (error) => {
      if (form.showFieldErrors(error)) testing.reset()
    },
  })
  const removing = useMutation({
    mutationFn: () => call(connectionsApi.remove, { params: { part } }),
    onSuccess: (stored) => {
      apply(stored)
      banner.success(texts.connections.remove.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.connections.remove.failed)),
  })
  // A result says nothing about values that changed after the test began.
  const isResultCurrent = testedValues === form.values
  const savedResult = form.isChanged ? undefined : trying
  return {
    form,
    saving,
    testing: {
      isPending: testing.isPending || trying.isPending,
      data: isResultCurrent ? testing.data : savedResult?.data,
      error: isResultCurrent ? testing.error : (savedResult?.error ?? null),
    },
    removing,
    handleSubmit(event: FormEvent<HTMLFormElement>): void {
      const isTest = isTestRequested(event)
      const mutation = isTest ? testing : saving
      if (isTest) setTestedValues(form.values)
      form.handleSubmit(async (input) => {
        // The mutation shows its error.
        await mutation.mutateAsync(input).catch(() => undefined)
      })(event)
    },
  }
}
