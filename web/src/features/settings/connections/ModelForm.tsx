import {
  type Connections,
  connectionsApi,
  type ModelConnectionEntries,
  type ModelConnectionValues,
  modelConnectionForm,
} from '@lyceum/contract/connections'
import { useLocation, useSearchParams } from 'wouter'
import { call } from '#api/call.ts'
import type { BannerAction } from '#ui/banner.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { KeyField, withKeyChange } from './KeyField.tsx'
import { SettingField } from './SettingField.tsx'
import { type ConnectionFormProps, useConnectionForm } from './use-connection-form.ts'

function toEntries({ model }: Connections): ModelConnectionEntries {
  const { baseUrl, embeddingModel } = model
  return { baseUrl, apiKey: '', removesKey: false, model: model.model, embeddingModel }
}

const cardTexts = {
  title: 'Model',
  intro: 'A language model writes the replies. Without one, replies only quote passages from documents.',
  testLabel: 'Test model',
  saveLabel: 'Save model',
  removeTitle: 'Remove the model?',
  removeText:
    'Its address and key are deleted here. Replies then only quote passages from documents, and channels with a ready-made assistant cannot reply.',
}

/** The user may have come from a channel that cannot answer without a model. */
function useWayBack(): BannerAction | undefined {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const channelId = params.get('channel')
  return channelId === null
    ? undefined
    : {
        label: 'Open channel',
        run: () => navigate(`/channels/${encodeURIComponent(channelId)}`),
        returnFocus: () => null,
      }
}

export function ModelForm({ connections }: ConnectionFormProps) {
  const { source, hasApiKey, variables } = connections.model
  const { form, handleSubmit, ...mutations } = useConnectionForm<
    ModelConnectionEntries,
    ModelConnectionValues
  >({
    part: 'model',
    schema: modelConnectionForm,
    connections,
    toEntries,
    save: (values) => call(connectionsApi.setModel, { body: withKeyChange(values) }),
    test: (values) => call(connectionsApi.testModel, { body: withKeyChange(values) }),
    nextStep: useWayBack(),
  })
  const { values, errors, field, set } = form
  const isFixed = source === 'environment'
  const hasOwnEmbeddings = connections.embeddings.source !== 'none'
  return (
    <ConnectionCard
      {...mutations}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      part="model"
      source={source}
      health={connections.health.model}
      variables={[variables.apiKey, variables.baseUrl]}
      texts={cardTexts}
      onSubmit={handleSubmit}
    >
      <SettingField
        label="Address"
        hint="Leave this empty for OpenAI. The address of a local server is usually like http://localhost:11434/v1."
        placeholder="https://api.openai.com/v1"
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
      {isFixed ? (
        <p className="text-muted text-sm">
          Choose which model answers under{' '}
          <TextLink to="/admin/settings?section=assistants">Assistants</TextLink>.
        </p>
      ) : (
        <SettingField
          label="Model"
          hint={
            <>
              This model writes all replies, unless another one is set under{' '}
              <TextLink to="/admin/settings?section=assistants">Assistants</TextLink>. Leave this empty for
              OpenAI. A local server needs a name, such as llama3.3.
            </>
          }
          error={errors.model}
          variable={undefined}
          disabled={false}
          field={field('model')}
        />
      )}
      <SettingField
        label="Embedding model"
        hint={
          hasOwnEmbeddings
            ? 'Not used, because an embedding server is set up.'
            : 'This model finds passages by meaning. Leave this empty to search by keywords only. Changing this re-embeds all documents.'
        }
        error={errors.embeddingModel}
        variable={hasOwnEmbeddings ? undefined : variables.embeddingModel}
        disabled={isFixed || hasOwnEmbeddings}
        field={field('embeddingModel')}
      />
    </ConnectionCard>
  )
}
