import {
  type Connections,
  connectionsApi,
  type EmbeddingsConnectionEntries,
  type EmbeddingsConnectionValues,
  embeddingsConnectionForm,
} from '@lyceum/contract/connections'
import { call } from '#api/call.ts'
import { ConnectionCard } from './ConnectionCard.tsx'
import { KeyField, withKeyChange } from './KeyField.tsx'
import { SettingField } from './SettingField.tsx'
import { type ConnectionFormProps, useConnectionForm } from './use-connection-form.ts'

function toEntries({ embeddings }: Connections): EmbeddingsConnectionEntries {
  const { baseUrl, model, queryPrefix, passagePrefix } = embeddings
  return { baseUrl, apiKey: '', removesKey: false, model, queryPrefix, passagePrefix }
}

const cardTexts = {
  title: 'Embedding server',
  intro:
    'An embedding model finds passages by meaning. Set up a separate server here if your model server doesn’t provide embeddings, or if you have no language model.',
  testLabel: 'Test embeddings',
  saveLabel: 'Save embedding server',
  removeTitle: 'Remove the embedding server?',
  removeText:
    'Its address and key are deleted here. The embedding model of the language model’s server is then used, if there is one. Otherwise passages are found by keywords only.',
}

export function EmbeddingsForm({ connections }: ConnectionFormProps) {
  const { source, hasApiKey, variables } = connections.embeddings
  const { form, handleSubmit, ...mutations } = useConnectionForm<
    EmbeddingsConnectionEntries,
    EmbeddingsConnectionValues
  >({
    part: 'embeddings',
    schema: embeddingsConnectionForm,
    connections,
    toEntries,
    save: (values) => call(connectionsApi.setEmbeddings, { body: withKeyChange(values) }),
    test: (values) => call(connectionsApi.testEmbeddings, { body: withKeyChange(values) }),
  })
  const { values, errors, field, set } = form
  const isFixed = source === 'environment'
  return (
    <ConnectionCard
      {...mutations}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      part="embeddings"
      source={source}
      health={connections.health.embeddings}
      variables={[variables.baseUrl, variables.apiKey]}
      texts={cardTexts}
      onSubmit={handleSubmit}
    >
      <SettingField
        label="Address"
        hint="The server must offer /embeddings below this address, as OpenAI does."
        placeholder="http://localhost:8080/v1"
        inputMode="url"
        error={errors.baseUrl}
        variable={variables.baseUrl}
        disabled={isFixed}
        field={field('baseUrl')}
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
        label="Embedding model"
        hint="For example, bge-m3. Changing this re-embeds all documents."
        error={errors.model}
        variable={variables.model}
        disabled={isFixed}
        field={field('model')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SettingField
          label="Query prefix"
          hint="Required by some models, for example query: for E5. See the description of your model."
          error={errors.queryPrefix}
          variable={variables.queryPrefix}
          disabled={isFixed}
          field={field('queryPrefix')}
        />
        <SettingField
          label="Passage prefix"
          hint="For example, passage: for E5. Changing this re-embeds all documents."
          error={errors.passagePrefix}
          variable={variables.passagePrefix}
          disabled={isFixed}
          field={field('passagePrefix')}
        />
      </div>
    </ConnectionCard>
  )
}
