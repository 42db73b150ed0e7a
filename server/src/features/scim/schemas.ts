import { groupSchema } from './group-input.ts'
import { pageMaximum } from './list-request.ts'
import { userSchema } from './user-input.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'

interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'integer' | 'dateTime' | 'reference' | 'complex'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readOnly' | 'readWrite' | 'immutable'
  returned: 'always' | 'default'
  uniqueness: 'none' | 'server'
  canonicalValues?: string[]
  referenceTypes?: string[]
  subAttributes?: Attribute[]
}

/** An attribute that differs from a readable and writable text in these respects. */
function attribute(name: string, description: string, changes: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...changes,
  }
}

const fixed = { mutability: 'readOnly' } as const
const fixedAndRequired = { ...fixed, required: true } as const
const flag = { ...fixedAndRequired, type: 'boolean' } as const

function complex(subAttributes: Attribute[], changes: Partial<Attribute> = {}): Partial<Attribute> {
  return { type: 'complex', subAttributes, ...changes }
}

const userAttributes = [
  attribute('userName', 'The name of the user in the directory', { required: true, uniqueness: 'server' }),
  attribute('displayName', 'The name that Lyceum shows'),
  attribute(
    'name',
    'The parts of the name',
    complex([
      attribute('formatted', 'The full name'),
      attribute('familyName', 'The family name'),
      attribute('givenName', 'The given name'),
    ]),
  ),
  attribute('active', 'Whether the user can sign in. A new user can if it is left out.', {
    type: 'boolean',
    required: true,
  }),
  attribute(
    'emails',
    'The email address of the account. Of several, the primary one is stored, else the one for work, else the first.',
    complex(
      [
        attribute('value', 'The email address', { required: true }),
        attribute('type', 'What the address is for', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'Whether it is the preferred address', { type: 'boolean' }),
      ],
      { multiValued: true, required: true },
    ),
  ),
]

const groupAttributes = [
  attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
  attribute(
    'members',
    'The users whom the directory put into the group',
    complex(
      [
        attribute('value', 'The id of the user', { mutability: 'immutable', caseExact: true }),
        attribute('$ref', 'The address of the user', {
          type: 'reference',
          referenceTypes: ['User'],
          mutability: 'immutable',
          caseExact: true,
        }),
        attribute('type', 'The type of the member', { canonicalValues: ['User'], mutability: 'immutable' }),
      ],
      { multiValued: true },
    ),
  ),
]

const configurationAttributes = [
  attribute('documentationUri', 'Where the service is described', {
    ...fixed,
    type: 'reference',
    referenceTypes: ['external'],
  }),
  attribute(
    'patch',
    'PATCH',
    complex([attribute('supported', 'Whether it is supported', flag)], fixedAndRequired),
  ),
  attribute(
    'bulk',
    'Bulk operations',
    complex(
      [
        attribute('supported', 'Whether they are supported', flag),
        attribute('maxOperations', 'The most operations in a request', {
          ...fixedAndRequired,
          type: 'integer',
        }),
        attribute('maxPayloadSize', 'The most bytes in a request', { ...fixedAndRequired, type: 'integer' }),
      ],
      fixedAndRequired,
    ),
  ),
  attribute(
    'filter',
    'Filters',
    complex(
      [
        attribute('supported', 'Whether they are supported', flag),
        attribute('maxResults', 'The most resources in a response', { ...fixedAndRequired, type: 'integer' }),
      ],
      fixedAndRequired,
    ),
  ),
  attribute(
    'changePassword',
    'Changing passwords',
    complex([attribute('supported', 'Whether it is supported', flag)], fixedAndRequired),
  ),
  attribute(
    'sort',
    'Sorting',
    complex([attribute('supported', 'Whether it is supported', flag)], fixedAndRequired),
  ),
  attribute(
    'etag',
    'ETags',
    complex([attribute('supported', 'Whether they are supported', flag)], fixedAndRequired),
  ),
  attribute(
    'authenticationSchemes',
    'How clients authenticate',
    complex(
      [
        attribute('type', 'The scheme', { ...fixedAndRequired, canonicalValues: ['oauthbearertoken'] }),
        attribute('name', 'Its name', fixedAndRequired),
        attribute('description', 'What it is', fixedAndRequired),
        attribute('specUri', 'Its specification', {
          ...fixed,
          type: 'reference',
          referenceTypes: ['external'],
        }),
        attribute('documentationUri', 'Its documentation', {
          ...fixed,
          type: 'reference',
          referenceTypes: ['external'],
        }),
        attribute('primary', 'Whether it is preferred', { ...fixed, type: 'boolean' }),
      ],
      { ...fixedAndRequired, multiValued: true },
    ),
  ),
]

const resourceTypeAttributes = [
  attribute('name', 'The name of the resource type', fixedAndRequired),
  attribute('description', 'What it is', fixed),
  attribute('endpoint', 'Its path', { ...fixedAndRequired, type: 'reference', referenceTypes: ['uri'] }),
  attribute('schema', 'Its schema', {
    ...fixedAndRequired,
    type: 'reference',
    referenceTypes: ['uri'],
    caseExact: true,
  }),
  attribute(
    'schemaExtensions',
    'Further schemas',
    complex(
      [
        attribute('schema', 'The schema', {
          ...fixedAndRequired,
          type: 'reference',
          referenceTypes: ['uri'],
          caseExact: true,
        }),
        attribute('required', 'Whether it is required', flag),
      ],
      { ...fixed, multiValued: true },
    ),
  ),
]

const attributeParts = [
  attribute('name', 'The name', { ...fixedAndRequired, caseExact: true }),
  attribute('type', 'The type', { ...fixedAndRequired }),
  attribute('multiValued', 'Whether there can be several values', flag),
  attribute('description', 'What it is', fixed),
  attribute('required', 'Whether it is required', { ...fixed, type: 'boolean' }),
  attribute('canonicalValues', 'Suggested values', { ...fixed, multiValued: true, caseExact: true }),
  attribute('caseExact', 'Whether case matters', { ...fixed, type: 'boolean' }),
  attribute('mutability', 'Whether it can be changed', { ...fixed, caseExact: true }),
  attribute('returned', 'When it is returned', { ...fixed, caseExact: true }),
  attribute('uniqueness', 'Where it is unique', { ...fixed, caseExact: true }),
  attribute('referenceTypes', 'What it refers to', { ...fixed, multiValued: true, caseExact: true }),
]

const schemaAttributes = [
  attribute('name', 'The name of the schema', fixedAndRequired),
  attribute('description', 'What it is', fixed),
  attribute(
    'attributes',
    'Its attributes',
    complex(
      [
        ...attributeParts,
        attribute('subAttributes', 'The parts', complex(attributeParts, { ...fixed, multiValued: true })),
      ],
      { ...fixedAndRequired, multiValued: true },
    ),
  ),
]

const schemas = [
  { id: userSchema, name: 'User', description: 'A user', attributes: userAttributes },
  { id: groupSchema, name: 'Group', description: 'A group', attributes: groupAttributes },
  {
    id: `${core}:ServiceProviderConfig`,
    name: 'ServiceProviderConfig',
    description: 'What the service supports',
    attributes: configurationAttributes,
  },
  {
    id: `${core}:ResourceType`,
    name: 'ResourceType',
    description: 'A resource type',
    attributes: resourceTypeAttributes,
  },
  { id: `${core}:Schema`, name: 'Schema', description: 'A schema', attributes: schemaAttributes },
]

export function listSchemas(scimUrl: string) {
  return schemas.map((schema) => ({
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${scimUrl}/Schemas/${schema.id}` },
  }))
}

export function listResourceTypes(scimUrl: string) {
  return [
    { name: 'User', endpoint: '/Users', description: 'Users of Lyceum', schema: userSchema },
    { name: 'Group', endpoint: '/Groups', description: 'Groups, which give channels', schema: groupSchema },
  ].map((type) => ({
    schemas: [`${core}:ResourceType`],
    id: type.name,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${scimUrl}/ResourceTypes/${type.name}` },
  }))
}

export function describeService(scimUrl: string) {
  return {
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: pageMaximum },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The key of the directory as a bearer token',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${scimUrl}/ServiceProviderConfig` },
  }
}
