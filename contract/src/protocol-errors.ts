/** The errors of protocols that others defined: OAuth for programs, and SCIM for directories. */
export const protocolErrors = {
  'oauth.invalid_request': {
    status: 400,
    message: 'The request is missing a parameter, or one is not valid.',
  },
  'oauth.invalid_client': {
    status: 401,
    message: 'The program is not registered, or no longer. Register it again.',
  },
  'oauth.invalid_grant': {
    status: 400,
    message: 'The code or the token is not valid, has ended, or was used before.',
  },
  'oauth.invalid_scope': {
    status: 400,
    message: 'The program asks for something that it cannot be allowed.',
  },
  'oauth.invalid_target': { status: 400, message: 'The program asks for access to another address.' },
  'oauth.unsupported_grant_type': { status: 400, message: 'Only codes and refresh tokens can be exchanged.' },
  'oauth.unsupported_response_type': {
    status: 400,
    message: 'The program asks in a way that is not supported.',
  },
  'oauth.invalid_redirect_uri': {
    status: 400,
    message: 'A redirect URI must begin with https://, or with http:// and an address of the same computer.',
  },
  // Read by the administrators of directories. `features/scim/scim-error.ts` has their types in SCIM.
  'scim.invalid_filter': { status: 400, message: 'The filter is not valid' },
  'scim.invalid_path': { status: 400, message: 'The path is not valid' },
  'scim.invalid_syntax': { status: 400, message: 'The request is not a valid SCIM message' },
  'scim.invalid_value': { status: 400, message: 'A value is not valid' },
  'scim.no_target': { status: 400, message: 'A remove operation needs a path' },
  'scim.too_many': { status: 400, message: 'There are too many results' },
  'scim.mutability': { status: 400, message: 'This attribute cannot be changed' },
  'scim.uniqueness': { status: 409, message: 'This already exists' },
  'scim.changed': {
    status: 412,
    message: 'The resource has changed. Read it again, then repeat the change.',
  },
  'scim.too_large': { status: 413, message: 'One request can add or remove up to 1000 members' },
} as const
