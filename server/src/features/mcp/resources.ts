import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Deps } from '../../deps.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'
import { listKeyChannels } from '../programs/channel-models.ts'
import { listDocuments, readDocument, readDocumentPage } from '../programs/documents.ts'

/** Documents offered as resources. The tools reach all of them. */
const listLength = 200

const documentTemplate = 'lyceum://documents/{id}'
const pageTemplate = 'lyceum://documents/{id}/pages/{page}'
const mimeType = 'text/plain'

/** Offers documents and their pages, as far as the key may read them. */
export function addResources(server: McpServer, deps: Deps, access: KeyAccess): void {
  if (!access.scopes.has('documents')) return
  server.registerResource(
    'document',
    new ResourceTemplate(documentTemplate, {
      list: async () => {
        const channels = await listKeyChannels(deps, access)
        const documents = await listDocuments(deps, access, channels, { limit: listLength, skip: 0 })
        const names = new Map(channels.map(({ id, name }) => [id, name]))
        return {
          resources: documents.map(({ id, title, channel_id }) => ({
            uri: documentTemplate.replace('{id}', encodeURIComponent(id)),
            name: title,
            description: names.get(channel_id) ?? '',
            mimeType,
          })),
        }
      },
    }),
    { title: 'Document', description: 'The beginning of the text of a document', mimeType },
    async (uri, { id }) => {
      const { pages } = await readDocument(deps, access, { id: String(id), start: 0 })
      return { contents: [{ uri: uri.href, mimeType, text: pages.map(({ text }) => text).join('') }] }
    },
  )
  server.registerResource(
    'page',
    new ResourceTemplate(pageTemplate, { list: undefined }),
    { title: 'Page', description: 'The text of one page of a document', mimeType },
    async (uri, { id, page }) => {
      const text = await readDocumentPage(deps, access, String(id), Number(page))
      return { contents: [{ uri: uri.href, mimeType, text }] }
    },
  )
}
