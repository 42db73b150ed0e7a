import {
  type Connections,
  connectionsApi,
  type ModelConnectionEntries,
  type ModelConnectionInput,
  type ModelConnectionValues,
  modelConnectionForm,
} from '@lyceum/contract/connections'
import { statusApi } from '@lyceum/contract/status'
import { useLocation, useSearchParams } from 'wouter'
import { call } from '#api/call.ts'
import { approvedDocumentsPath } from '#lib/document-paths.ts'
import type { BannerAction } from '#ui/banner.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { SettingField } from './SettingField.tsx'
import { type ConnectionFormProps, useConnectionForm } from './use-connection-form.ts'

function toEntries({ model }: Connections): ModelConnectionEntries {
  const { baseUrl, embeddingModel } = model
  return { baseUrl, apiKey: '', removesKey: false, model: model.model, embeddingModel }
}

function toInput({ apiKey, removesKey, ...rest }: ModelConnectionValues): ModelConnectionInput {
  if (removesKey) return { ...rest, apiKey: '' }
  return apiKey === '' ? rest : { ...rest, apiKey }
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
    save: (values) => call(connectionsApi.setModel, { body: toInput(values) }),
    test: (values) => call(connectionsApi.testModel, { body: toInput(values) }),
    tryOut: () => call(statusApi.test, { params: { part: 'model' } }),
    nextStep: useWayBack(),
  })
  const { values, errors, field, set } = form
  const isFixed = source === 'environment'
  return (
    <ConnectionCard
      {...mutations}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      part="model"
      source={source}
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
      <div>
        <SettingField
          label="API key"
          hint={
            // The error asks for the key again, because the address has changed.
            hasApiKey && errors.apiKey === undefined
              ? 'A key is stored. Leave this empty to keep it.'
              : 'A local server may need none.'
          }
          secret="API key"
          placeholder={hasApiKey ? '••••••••' : ''}
          error={errors.apiKey}
          variable={variables.apiKey}
          disabled={isFixed || values.removesKey}
          field={field('apiKey')}
        />
        {hasApiKey && !isFixed && (
          <Checkbox
            label="Use no key"
            checked={values.removesKey}
            onChange={(event) => set('removesKey', event.target.checked)}
          />
        )}
      </div>
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
          <>
            This model finds passages by meaning. Leave this empty to search by keywords only. After a change,
            reindex the <TextLink to={approvedDocumentsPath}>approved documents</TextLink>.
          </>
        }
        error={errors.embeddingModel}
        variable={variables.embeddingModel}
        disabled={isFixed}
        field={field('embeddingModel')}
      />
    </ConnectionCard>
  )
}
