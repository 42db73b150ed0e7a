import { type TestQuestionInput, testQuestionsApi } from '@lyceum/contract/test-questions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { testBenchQuery, testRunQuery } from './queries.ts'

function useRefetchBench(channelId: string) {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: testBenchQuery(channelId).queryKey })
}

/** Adds a question, or changes the one with this id. The form shows any error. */
export function useSaveQuestion(channelId: string, questionId: string | null) {
  const refetch = useRefetchBench(channelId)
  return useMutation({
    mutationFn: (body: TestQuestionInput) =>
      questionId === null
        ? call(testQuestionsApi.add, { params: { id: channelId }, body })
        : call(testQuestionsApi.update, { params: { id: channelId, questionId }, body }),
    onSettled: refetch,
  })
}

export function useRemoveQuestion(channelId: string) {
  const refetch = useRefetchBench(channelId)
  return useMutation({
    mutationFn: (questionId: string) =>
      call(testQuestionsApi.remove, { params: { id: channelId, questionId } }),
    // Refetch after a refusal too, because another administrator may have deleted the question.
    onSettled: refetch,
  })
}

export function useRunQuestions(channelId: string) {
  const client = useQueryClient()
  const refetch = useRefetchBench(channelId)
  return useMutation({
    mutationFn: (note: string) =>
      call(testQuestionsApi.run, { params: { id: channelId }, body: note === '' ? {} : { note } }),
    onSuccess: (run) => client.setQueryData(testRunQuery(channelId, run._id).queryKey, run),
    onSettled: refetch,
  })
}

export function useTryQuestion(channelId: string) {
  return useMutation({
    mutationFn: (question: string) =>
      call(testQuestionsApi.try, { params: { id: channelId }, body: { question } }),
  })
}
