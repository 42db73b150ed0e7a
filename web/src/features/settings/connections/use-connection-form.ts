import { type ConnectionPart, type Connections, connectionsApi } from '@lyceum/contract/connections'
import { type PartTestResult, statusApi } from '@lyceum/contract/status'
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
  /** Tests values that are not saved. */
  test: (input: Input) => Promise<PartTestResult>
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
  /** Many screens depend on whether there is a model or a mail server. */
  function refreshScreens(): void {
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== connectionsQuery().queryKey[0],
    })
  }
  /** After the saved connection was used: whether it works is shown here, too. */
  function refreshAll(): void {
    void client.invalidateQueries()
  }
  // Uses the saved connection once, so that a mistake shows here and not with a member's next question.
  const trying = useMutation({
    mutationFn: () => call(connectionsApi.check, { params: { part } }),
    onSuccess: ({ ok }) => {
      if (!ok) banner.error(texts.connections.savedNotWorking)
    },
    onSettled: refreshAll,
  })
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (stored) => {
      apply(stored)
      banner.success(texts.connections.save.done, { action: nextStep })
      trying.mutate()
    },
    onError: (error) => {
      if (!form.showFieldErrors(error)) banner.error(messageOf(error, texts.connections.save.failed))
    },
  })
  const isStored = connections[part].source === 'stored' && !form.isChanged
  const testing = useMutation({
    mutationFn: (input: Input) => {
      if (!isStored) return test(input)
      return part === 'mail'
        ? call(statusApi.test, { params: { part } })
        : call(connectionsApi.check, { params: { part } })
    },
    onSettled: () => {
      if (isStored) refreshAll()
    },
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
