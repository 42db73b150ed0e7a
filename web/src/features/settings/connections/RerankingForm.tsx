import {
  type Connections,
  connectionsApi,
  type RerankingConnectionEntries,
  type RerankingConnectionValues,
  rerankingConnectionForm,
} from '@lyceum/contract/connections'
import { call } from '#api/call.ts'
import { ConnectionCard } from './ConnectionCard.tsx'
import { KeyField, withKeyChange } from './KeyField.tsx'
import { SettingField } from './SettingField.tsx'
import { type ConnectionFormProps, useConnectionForm } from './use-connection-form.ts'

function toEntries({ reranking }: Connections): RerankingConnectionEntries {
  return { url: reranking.url, apiKey: '', removesKey: false, model: reranking.model }
}

const cardTexts = {
  title: 'Reranker',
  intro:
    'A reranker reads the best passages of a search and puts those first that answer the question. Without one, results keep their search order.',
  testLabel: 'Test reranker',
  saveLabel: 'Save reranker',
  removeTitle: 'Remove the reranker?',
  removeText: 'Its address and key are deleted here. Results then keep their search order.',
}

export function RerankingForm({ connections }: ConnectionFormProps) {
  const { source, hasApiKey, variables } = connections.reranking
  const { form, handleSubmit, ...mutations } = useConnectionForm<
    RerankingConnectionEntries,
    RerankingConnectionValues
  >({
    part: 'reranking',
    schema: rerankingConnectionForm,
    connections,
    toEntries,
    save: (values) => call(connectionsApi.setReranking, { body: withKeyChange(values) }),
    test: (values) => call(connectionsApi.testReranking, { body: withKeyChange(values) }),
  })
  const { values, errors, field, set } = form
  const isFixed = source === 'environment'
  return (
    <ConnectionCard
      {...mutations}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      part="reranking"
      source={source}
      health={connections.health.reranking}
      variables={[variables.url, variables.apiKey]}
      texts={cardTexts}
      onSubmit={handleSubmit}
    >
      <SettingField
        label="Address"
        hint="The full address: llama.cpp, Jina and Cohere use /v1/rerank, Text Embeddings Inference uses /rerank."
        placeholder="http://localhost:8080/v1/rerank"
        inputMode="url"
        error={errors.url}
        variable={variables.url}
        disabled={isFixed}
        field={field('url')}
      />
      <KeyField
        hasApiKey={hasApiKey}
        removesKey={values.removesKey}
        onRemovesKey={(removesKey) => set('removesKey', removesKey)}
        isFixed={isFixed}
        error={errors.apiKey}
        variable={variables.apiKey}
        field={field('apiKey')}
      />
      <SettingField
        label="Model"
        hint="Leave this empty if the server has only one."
        error={errors.model}
        variable={variables.model}
        disabled={isFixed}
        field={field('model')}
      />
    </ConnectionCard>
  )
}
