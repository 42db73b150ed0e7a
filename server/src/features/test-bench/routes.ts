import { testQuestionsApi } from '@lyceum/contract/test-questions'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { compareDocumentChange } from './compare-answers.ts'
import { getTestBench, getTestRun, runTestQuestions, tryQuestion } from './test-bench.ts'
import { addTestQuestion, changeTestQuestion, removeTestQuestion } from './test-questions.ts'

export function testBenchRoutes(http: Http, deps: Deps): void {
  http.serve(testQuestionsApi.list, ({ actor, params }) => getTestBench(deps, actor, params.id))
  http.serve(testQuestionsApi.add, ({ actor, params, body }) => addTestQuestion(deps, actor, params.id, body))
  http.serve(testQuestionsApi.update, ({ actor, params: { id, questionId }, body }) =>
    changeTestQuestion(deps, actor, { channelId: id, questionId }, body),
  )
  http.serve(testQuestionsApi.remove, ({ actor, params: { id, questionId } }) =>
    removeTestQuestion(deps, actor, { channelId: id, questionId }),
  )
  http.serve(testQuestionsApi.run, ({ actor, params, body }) =>
    runTestQuestions(deps, actor, params.id, body.note),
  )
  http.serve(testQuestionsApi.getRun, ({ actor, params }) => getTestRun(deps, actor, params.id, params.runId))
  http.serve(testQuestionsApi.try, ({ actor, params, body }) =>
    tryQuestion(deps, actor, params.id, body.question),
  )
  http.serve(testQuestionsApi.compare, ({ actor, params, body }) =>
    compareDocumentChange(deps, actor, params.id, body.change),
  )
}
